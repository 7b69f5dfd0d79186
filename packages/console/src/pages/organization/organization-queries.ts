import {
  type Budget,
  type Organization,
  type OrganizationPermission,
  organizationApi,
  organizationBudgetApi,
  organizationInvitationApi,
  organizationMemberApi,
  projectApi,
  serviceAccountApi,
} from '@headgate/contract';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** First element of the query keys. */
const organizationKey = 'organization';

/** Queries of one organization, to refresh them after a change. */
const keyOfOrganization = (id: number) => [organizationKey, id] as const;

export const hasPermission = ({ permissions }: Organization, permission: OrganizationPermission): boolean =>
  permissions.includes(permission);

/** Organizations of the signed-in user, by name. */
export const ownOrganizationsQuery = queryOptions({
  queryKey: [organizationKey, 'own'],
  queryFn: ({ signal }) => call(organizationApi.own, {}, { signal }),
  staleTime: 5000,
});

export const organizationQuery = (id: number) =>
  queryOptions({
    queryKey: [...keyOfOrganization(id), 'one'],
    queryFn: ({ signal }) => call(organizationApi.get, { params: { id } }, { signal }),
    staleTime: 0,
    retry: false,
    // Shown on the page.
    meta: { quiet: true },
  });

/** Invitations and ownership offers to the signed-in user. */
export const ownInvitationsQuery = queryOptions({
  queryKey: [organizationKey, 'invitations'],
  queryFn: ({ signal }) => call(organizationInvitationApi.own, {}, { signal }),
  staleTime: 5000,
  meta: { quiet: true },
});

export const membersQuery = (id: number) =>
  queryOptions({
    queryKey: [...keyOfOrganization(id), 'members'],
    queryFn: ({ signal }) => call(organizationMemberApi.list, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const invitationsQuery = (id: number) =>
  queryOptions({
    queryKey: [...keyOfOrganization(id), 'invitations'],
    queryFn: ({ signal }) => call(organizationMemberApi.invitations, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const budgetsQuery = (id: number) =>
  queryOptions({
    queryKey: [...keyOfOrganization(id), 'budgets'],
    queryFn: ({ signal }) => call(organizationBudgetApi.list, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const projectsQuery = (id: number) =>
  queryOptions({
    queryKey: [...keyOfOrganization(id), 'projects'],
    queryFn: ({ signal }) => call(projectApi.list, { params: { id } }, { signal }),
    staleTime: 0,
  });

export const serviceAccountsQuery = (id: number) =>
  queryOptions({
    queryKey: [...keyOfOrganization(id), 'service-accounts'],
    queryFn: ({ signal }) => call(serviceAccountApi.list, { params: { id } }, { signal }),
    staleTime: 0,
  });

/** Enabled budgets of one owner, the most used first. */
export const budgetsOf = (budgets: readonly Budget[], kind: Budget['kind'], ownerId: number): readonly Budget[] =>
  budgets
    .filter((budget) => budget.kind === kind && budget.owner_id === ownerId && budget.enabled)
    .toSorted((one, other) => usedFraction(other) - usedFraction(one));

export const usedFraction = ({ used, amount }: Budget): number => used / amount;

/** Refetches all organization data, including lists whose names start with the key. */
export const refreshOrganizations = (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => String(first).startsWith(organizationKey) });
