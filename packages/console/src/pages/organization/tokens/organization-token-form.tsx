import { type Organization, type OrganizationToken, organizationTokenApi, projectStatus } from '@headgate/contract';
import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { type Edit, EditResource } from '../../../ui/edit/edit-resource.tsx';
import { focusFirstError } from '../../../ui/form/focus-first-error.ts';
import { FormLoading, FormPage } from '../../../ui/form/form-page.tsx';
import { TokenFields, useTokenForm } from '../../../ui/token-form/token-fields.tsx';
import { changeOf, creationOf, formOf, type TokenForm } from '../../../ui/token-form/token-form.ts';
import { organizationLink, organizationSearch } from '../organization-address.ts';
import { hasPermission, projectsQuery, refreshOrganizations, serviceAccountsQuery } from '../organization-queries.ts';
import { createdOrganizationTokenQuery } from './organization-token-queries.ts';

interface TokenFormProps {
  readonly organization: Organization;
  /** ID; undefined for a new token. */
  readonly token: number | undefined;
}

/** API token form of an organization: the user's token form plus project and owner. */
export function OrganizationTokenForm({ organization, token }: TokenFormProps) {
  const { t } = useTranslation();
  if (token === undefined) return <FormFields organization={organization} edit={undefined} />;
  return (
    <EditResource
      endpoint={organizationTokenApi.get}
      input={{ params: { id: organization.id, token } }}
      shown={shownOf}
      loading={(error, onRetry) => <FormLoading title={t('Edit token')} error={error} onRetry={onRetry} />}
    >
      {(edit) => <FormFields organization={organization} edit={edit} />}
    </EditResource>
  );
}

/** Excludes the quota, which changes constantly. */
function shownOf(token: OrganizationToken) {
  const { remain_quota: _, ...shown } = formOf(token);
  return [shown, token.project_id];
}

interface FormFieldsProps {
  readonly organization: Organization;
  readonly edit: Edit<OrganizationToken> | undefined;
}

function FormFields({ organization, edit }: FormFieldsProps) {
  const { t } = useTranslation();
  const token = edit?.thing;
  const form = useTokenForm(token);
  const belonging = useForm<Belonging>({
    initialValues: { project: String(token?.project_id ?? 0), account: String(token?.service_account_id ?? 0) },
  });
  const save = useSave(organization, edit);
  const submit = form.onSubmit(
    (values) => save.mutate({ values, belonging: belonging.getValues() }),
    (errors) => {
      showMessage('warning', Object.values(errors)[0]);
      focusFirstError(form, errors);
    },
  );
  return (
    <FormPage
      title={token ? t('Edit token') : t('Add token')}
      submitLabel={token ? t('Save token') : t('Create token')}
      isSaving={save.isPending}
      isDirty={form.isDirty() || belonging.isDirty()}
      onSubmit={submit}
      back={{ to: '/organization', search: organizationSearch(organization.id, 'tokens') }}
    >
      <TokenFields
        form={form}
        token={token}
        limits={null}
        owner={<OwnerFields organization={organization} token={token} form={belonging} />}
      />
    </FormPage>
  );
}

/** IDs as text; 0: no project, or the member itself. */
interface Belonging {
  readonly project: string;
  readonly account: string;
}

interface OwnerFieldsProps {
  readonly organization: Organization;
  readonly token: OrganizationToken | undefined;
  readonly form: ReturnType<typeof useForm<Belonging>>;
}

/** Owner and project. Only callers who manage tokens can select another owner, or change the project later. */
function OwnerFields({ organization, token, form }: OwnerFieldsProps) {
  const { t } = useTranslation();
  const self = useUser();
  const manages = hasPermission(organization, 'manage_tokens');
  const { data: projects = [] } = useQuery(projectsQuery(organization.id));
  const { data: accounts = [] } = useQuery({ ...serviceAccountsQuery(organization.id), enabled: manages });
  const projectId = Number(form.values.project);
  const offered = projects.filter(({ id, status }) => status === projectStatus.enabled || id === projectId);
  return (
    <>
      {!token && manages && accounts.length > 0 && (
        <Select
          label={t('Owner')}
          description={t('Tokens of a service account keep working when members leave.')}
          allowDeselect={false}
          data={[
            { value: '0', label: t('{name} (you)', { name: self?.username ?? '' }) },
            ...accounts.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...form.getInputProps('account')}
        />
      )}
      <Select
        label={t('Project')}
        description={t('Its budget, models and tags apply to the token.')}
        allowDeselect={false}
        disabled={token !== undefined && !manages}
        data={[
          { value: '0', label: t('None') },
          ...offered.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        {...form.getInputProps('project')}
      />
    </>
  );
}

interface Saved {
  readonly values: TokenForm;
  readonly belonging: Belonging;
}

function useSave({ id }: Organization, edit: Edit<OrganizationToken> | undefined) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { id };
  return useMutation({
    mutationFn: ({ values, belonging }: Saved) => {
      const project_id = Number(belonging.project);
      if (!edit) {
        const body = { ...creationOf(values), project_id, service_account_id: Number(belonging.account) };
        return call(organizationTokenApi.create, { params, body });
      }
      const { thing: before } = edit;
      const change = {
        ...changeOf(before, values, 'changes'),
        ...(project_id !== before.project_id && { project_id }),
      };
      return edit.save((options) => call(organizationTokenApi.update, { params, body: change }, options));
    },
    onSuccess: async (token) => {
      if (!edit) queries.setQueryData(createdOrganizationTokenQuery.queryKey, token);
      showMessage('success', edit ? t('Token updated') : t('Token created'));
      void refreshOrganizations(queries);
      await navigate(organizationLink(id, 'tokens'));
    },
  });
}
