import { type Organization, organizationApi, userStatuses } from '@headgate/contract';
import { Anchor } from '@mantine/core';
import { IconSettings } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { callList } from '../../../lib/api/call.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { type ListPage as Rows, useList } from '../../../lib/list/list.ts';
import type { ListState } from '../../../lib/list/list-state.ts';
import { useAccountColumns } from '../../../ui/account-columns.tsx';
import { GroupLabels } from '../../../ui/group-labels.tsx';
import type { Column } from '../../../ui/list/column.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { organizationLink } from '../organization-address.ts';

const readOrganizations = (
  { order: _order, sort, ...state }: ListState,
  signal: AbortSignal,
): Promise<Rows<Organization>> =>
  callList(organizationApi.list, { query: { ...state, sort: sort as undefined } }, { signal });

/** All organizations, for gateway admins. */
export function OrganizationListPage() {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const navigate = useNavigate();
  const list = useList<Organization>({ name: 'organizations', read: readOrganizations });
  return (
    <ListPage
      title={t('Organizations')}
      list={list}
      columns={useColumns(list.rows)}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      managed="organization"
      actions={({ id }) => [
        {
          label: t('Open organization'),
          icon: IconSettings,
          isPrimary: true,
          onClick: () => void navigate(organizationLink(id, 'overview')),
        },
      ]}
      statuses={userStatuses}
      searchLabel={t('Search by ID and name')}
      emptyText={t('No organizations yet')}
      card={(organization) => ({
        title: <OrganizationName organization={organization} />,
        status: <StatusDot status={organization.status} statuses={userStatuses} />,
        facts: [
          { name: t('ID'), value: organization.id },
          { name: t('Group'), value: <GroupLabels groups={organization.group} /> },
          { name: t('Members'), value: organization.members },
          { name: t('Remaining quota'), value: format(organization.quota) },
          { name: t('Used quota'), value: format(organization.used_quota) },
        ],
      })}
    />
  );
}

function OrganizationName({ organization: { id, name } }: { readonly organization: Organization }) {
  return (
    <Anchor component={Link} {...organizationLink(id, 'overview')} inherit style={{ overflowWrap: 'anywhere' }}>
      {name}
    </Anchor>
  );
}

function useColumns(rows: readonly Organization[]): readonly Column<Organization>[] {
  const { t } = useTranslation();
  const { id, name, group, quota, used } = useAccountColumns<Organization>({
    rows,
    nameTitle: t('Name'),
    nameOf: (organization) => <OrganizationName organization={organization} />,
  });
  return [
    id,
    name,
    group,
    { id: 'members', title: t('Members'), isNumber: true, width: 96, cell: ({ members }) => members },
    quota,
    used,
    {
      id: 'status',
      title: t('Status'),
      width: 102,
      grow: 1,
      cell: ({ status }) => <StatusDot status={status} statuses={userStatuses} />,
    },
    {
      id: 'created',
      title: t('Created'),
      sort: 'created_time',
      width: 144,
      grow: 1,
      cell: ({ created_time }) => <Time seconds={created_time} />,
    },
  ];
}
