import type { Organization, OrganizationMember } from '@headgate/contract';
import {
  IconChartBar,
  IconCrown,
  IconGauge,
  IconListDetails,
  IconUserMinus,
  IconUserShield,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { useManaged } from '../../../lib/page/managed.ts';
import type { RowAction } from '../../../ui/list/column.ts';
import { organizationSearch } from '../organization-address.ts';
import { hasPermission } from '../organization-queries.ts';
import { OwnerBudgetsDialog } from '../owner-budgets-dialog.tsx';
import { MemberRoleDialog } from './member-role-dialog.tsx';
import type { MemberRow } from './member-row.ts';
import { OfferOwnershipDialog } from './offer-ownership-dialog.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';

type DialogName = 'role' | 'cap' | 'remove' | 'ownership';

/** Row actions of a member, as the caller's role permits. */
export function useMemberActions(organization: Organization) {
  const { t } = useTranslation();
  const self = useUser();
  const [open, setOpen] = useState<{ readonly name: DialogName; readonly member: MemberRow }>();
  const { id, role } = organization;
  const isManaged = useManaged('organization')(id);
  const show = (name: DialogName, member: MemberRow) => () => setOpen({ name, member });
  const canEditToken = (member: OrganizationMember) =>
    hasPermission(organization, member.role === 'owner' ? 'manage_owners' : 'manage_members');
  // The configuration file sets the roles of members that it added.
  const isOfFile = ({ source }: OrganizationMember) => isManaged && source === 'file';
  const of = (member: MemberRow): readonly RowAction[] => {
    const filters = { member: member.user_id };
    const isSelf = member.user_id === self?.id;
    const isDisabled = isOfFile(member);
    return [
      ...(hasPermission(organization, 'manage_budgets')
        ? [{ label: t('Set cap'), icon: IconGauge, onClick: show('cap', member), isPrimary: true }]
        : []),
      ...(canEditToken(member)
        ? [{ label: t('Change role'), icon: IconUserShield, onClick: show('role', member), isDisabled }]
        : []),
      ...(role === 'owner' && member.role !== 'owner'
        ? [{ label: t('Offer ownership'), icon: IconCrown, onClick: show('ownership', member), isDisabled }]
        : []),
      ...(hasPermission(organization, 'see_usage')
        ? [
            {
              label: t('Usage'),
              icon: IconChartBar,
              to: '/organization',
              search: organizationSearch(id, 'usage', filters),
            },
            {
              label: t('Logs'),
              icon: IconListDetails,
              to: '/organization',
              search: organizationSearch(id, 'logs', filters),
            },
          ]
        : []),
      ...(canEditToken(member) && !isSelf
        ? [{ label: t('Remove'), icon: IconUserMinus, isDanger: true, onClick: show('remove', member), isDisabled }]
        : []),
    ];
  };
  const close = () => setOpen(undefined);
  return { of, dialog: open && <MemberDialog {...open} organization={organization} onClosed={close} /> };
}

interface MemberDialogProps {
  readonly name: DialogName;
  readonly member: MemberRow;
  readonly organization: Organization;
  readonly onClosed: () => void;
}

function MemberDialog({ name, member, organization, onClosed }: MemberDialogProps) {
  const shared = { organization, onClosed };
  if (name === 'role') return <MemberRoleDialog member={member} {...shared} />;
  if (name === 'remove') return <RemoveMemberDialog member={member} {...shared} />;
  if (name === 'ownership') return <OfferOwnershipDialog member={member.user_id} {...shared} />;
  const owner = { kind: 'member', id: member.id, userId: member.user_id, name: member.username } as const;
  return <OwnerBudgetsDialog owner={owner} {...shared} />;
}
