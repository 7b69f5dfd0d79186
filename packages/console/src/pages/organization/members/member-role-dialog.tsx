import {
  type Organization,
  type OrganizationMember,
  type OrganizationRole,
  organizationMemberApi,
} from '@headgate/contract';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { type Edit, EditResourceInDialog } from '../../../ui/edit/edit-resource.tsx';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { refreshOrganizations } from '../organization-queries.ts';
import { RoleSelect } from './role-select.tsx';

interface MemberRoleDialogProps {
  readonly organization: Organization;
  readonly member: OrganizationMember;
  readonly onClosed: () => void;
}

export function MemberRoleDialog({ organization, member, onClosed }: MemberRoleDialogProps) {
  return (
    <EditResourceInDialog
      endpoint={organizationMemberApi.get}
      input={{ params: { id: organization.id, user_id: member.user_id } }}
      shown={({ role }) => role}
      onFailed={onClosed}
    >
      {(edit) => <RoleFields edit={edit} organization={organization} onClosed={onClosed} />}
    </EditResourceInDialog>
  );
}

interface RoleFieldsProps {
  readonly edit: Edit<OrganizationMember>;
  readonly organization: Organization;
  readonly onClosed: () => void;
}

function RoleFields({ edit, organization, onClosed }: RoleFieldsProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { user_id, username, role } = edit.thing;
  const { id } = organization;
  const form = useForm<{ role: OrganizationRole }>({ initialValues: { role } });
  const save = useMutation({
    mutationFn: (chosen: OrganizationRole) =>
      edit.save((options) =>
        call(organizationMemberApi.update, { params: { id }, body: { user_id, role: chosen } }, options),
      ),
    onSuccess: () => {
      showMessage('success', t('Role changed'));
      void refreshOrganizations(queries);
    },
  });
  return (
    <FormDialog
      title={t('Role of {name}', { name: username })}
      submitLabel={t('Change role')}
      isSaving={save.isPending}
      isSaved={save.isSuccess}
      onSubmit={form.onSubmit((values) => save.mutate(values.role))}
      onClosed={onClosed}
    >
      <RoleSelect organization={organization} current={role} {...form.getInputProps('role')} />
    </FormDialog>
  );
}
