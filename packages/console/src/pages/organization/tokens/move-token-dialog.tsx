import { type Organization, organizationTokenApi, projectStatus, tokenApi } from '@headgate/contract';
import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call, callList } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { projectsQuery, refreshOrganizations } from '../organization-queries.ts';

/** The signed-in user's newest tokens; older ones can be moved with the API. */
const offeredTokens = 100;

const ownTokensQuery = queryOptions({
  queryKey: ['token', 'to-move'],
  queryFn: async ({ signal }) =>
    (await callList(tokenApi.list, { query: { p: 0, size: offeredTokens } }, { signal })).rows,
  staleTime: 0,
});

interface MoveTokenProps {
  readonly organization: Organization;
  readonly onClosed: () => void;
}

/** Moves one of the user's API tokens to an organization, which then pays for its requests. */
export function MoveTokenDialog({ organization: { id, name }, onClosed }: MoveTokenProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { data: tokens = [] } = useQuery(ownTokensQuery);
  const { data: projects = [] } = useQuery(projectsQuery(id));
  const form = useForm({
    initialValues: { token: '', project: '0' },
    validate: { token: (token) => (token ? null : t('Select a token')) },
  });
  const move = useMutation({
    mutationFn: ({ token, project }: { token: string; project: string }) =>
      call(organizationTokenApi.move, {
        params: { id: Number(token) },
        body: { organization_id: id, project_id: Number(project) },
      }),
    onSuccess: () => {
      showMessage('success', t('The token now belongs to {name}', { name }));
      void refreshOrganizations(queries);
      void queries.invalidateQueries({ queryKey: ['token'] });
    },
  });
  return (
    <FormDialog
      title={t('Move own token')}
      submitLabel={t('Move token')}
      isSaving={move.isPending}
      isSaved={move.isSuccess}
      onSubmit={form.onSubmit((values) => move.mutate(values))}
      onClosed={onClosed}
    >
      <Select
        label={t('Token')}
        description={t('Its key stays the same. New requests are charged to the organization.')}
        required
        searchable
        limit={100}
        data={tokens.map((token) => ({ value: String(token.id), label: token.name || `#${token.id}` }))}
        {...form.getInputProps('token')}
      />
      <Select
        label={t('Project')}
        allowDeselect={false}
        data={[
          { value: '0', label: t('None') },
          ...projects
            .filter(({ status }) => status === projectStatus.enabled)
            .map((project) => ({ value: String(project.id), label: project.name })),
        ]}
        {...form.getInputProps('project')}
      />
    </FormDialog>
  );
}
