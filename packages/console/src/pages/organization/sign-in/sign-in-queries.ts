import {
  jwtIssuerApi,
  maxPageSize,
  organizationDirectoryApi,
  organizationSsoApi,
  organizationTokenApi,
} from '@headgate/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from '../../../i18n/translate.ts';
import { call, callList } from '../../../lib/api/call.ts';
import { showMessage } from '../../../lib/page/messages.ts';
import { useReauth } from '../../../ui/reauth.tsx';
import { refreshOrganizations } from '../organization-queries.ts';

/** The first element starts like that of all organization queries, which are refreshed together. */
const key = (id: number, name: string) => ['organization-sign-in', id, name] as const;

export const ssoSettingsQuery = (id: number) =>
  queryOptions({
    queryKey: key(id, 'settings'),
    queryFn: ({ signal }) => call(organizationSsoApi.settings, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const providersQuery = (id: number) =>
  queryOptions({
    queryKey: key(id, 'providers'),
    queryFn: ({ signal }) => call(organizationSsoApi.providers, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const jwtIssuersQuery = (id: number) =>
  queryOptions({
    queryKey: key(id, 'jwt-issuers'),
    queryFn: ({ signal }) => call(jwtIssuerApi.list, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** API tokens of service accounts. */
export const serviceTokensQuery = (id: number) =>
  queryOptions({
    queryKey: key(id, 'service-tokens'),
    queryFn: async ({ signal }) => {
      const query = { size: maxPageSize };
      const { rows } = await callList(organizationTokenApi.list, { params: { id }, query }, { signal });
      return rows.filter(({ service_account_id }) => service_account_id !== 0);
    },
    staleTime: 0,
  });

export const domainsQuery = (id: number) =>
  queryOptions({
    queryKey: key(id, 'domains'),
    queryFn: ({ signal }) => call(organizationSsoApi.domains, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const scimTokensQuery = (id: number) =>
  queryOptions({
    queryKey: key(id, 'tokens'),
    queryFn: ({ signal }) => call(organizationDirectoryApi.tokens, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const directoryGroupsQuery = (id: number) =>
  queryOptions({
    queryKey: key(id, 'groups'),
    queryFn: ({ signal }) => call(organizationDirectoryApi.groups, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** Changes to sign-in settings. `prove` first requires a recent proof of identity. */
export function useSignInChange() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const proof = useReauth();
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onSettled: () => refreshOrganizations(queries),
  });
  return {
    run: (work: () => Promise<unknown>) => change.mutate(work),
    prove: (work: () => Promise<unknown>) => proof.run(() => change.mutate(work)),
    isPending: change.isPending || proof.isAsking,
    isSuccess: change.isSuccess,
    proofDialog: proof.dialog,
  };
}
