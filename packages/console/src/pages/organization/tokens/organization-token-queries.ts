import { type Organization, type OrganizationToken, organizationTokenApi, tokenKeyPrefix } from '@headgate/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import { call, callList } from '../../../lib/api/call.ts';
import type { ListPage } from '../../../lib/list/list.ts';
import type { ListState } from '../../../lib/list/list-state.ts';
import { hasPermission } from '../organization-queries.ts';
import { type Scope, scopeParameters } from '../usage/scope.ts';

export const organizationTokenList = 'organization-tokens';

export function readOrganizationTokens(
  id: number,
  scope: Scope | undefined,
  { p, size, keyword, sort, direction, status }: ListState,
  signal: AbortSignal,
): Promise<ListPage<OrganizationToken>> {
  const { member_id, project_id, service_account_id } = scopeParameters(scope);
  const query = {
    ...{ p, size, keyword, direction, sort: sort as undefined },
    ...(status !== undefined && { status }),
    ...(member_id > 0 && { creator_id: member_id }),
    ...(project_id > 0 && { project_id }),
    ...(service_account_id > 0 && { service_account_id }),
  };
  return callList(organizationTokenApi.list, { params: { id }, query }, { signal });
}

/** Key of a token, which is not included in lists. */
export const readKey = async (id: number, token: number): Promise<string> =>
  tokenKeyPrefix + (await call(organizationTokenApi.get, { params: { id, token } })).key;

/** The last created token until dismissed. In memory only, so that a reload shows no key. */
export const createdOrganizationTokenQuery = queryOptions<OrganizationToken | null>({
  queryKey: ['created-organization-token'],
  queryFn: skipToken,
});

/** True if the server shows the key to the caller. */
export const canReadKey = (
  organization: Organization,
  { creator_id }: OrganizationToken,
  self: number | undefined,
): boolean => {
  if (organization.role === '') return false;
  return creator_id === 0
    ? hasPermission(organization, 'manage_tokens')
    : creator_id === self && hasPermission(organization, 'use_tokens');
};

export const canEditToken = (
  organization: Organization,
  { creator_id }: OrganizationToken,
  self: number | undefined,
): boolean =>
  hasPermission(organization, 'manage_tokens') || (creator_id === self && hasPermission(organization, 'use_tokens'));
