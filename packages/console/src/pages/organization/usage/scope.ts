import type { Organization } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { updateQuery } from '../../../lib/page/address.ts';
import { hasPermission, membersQuery, projectsQuery, serviceAccountsQuery } from '../organization-queries.ts';

export const scopeKinds = ['member', 'project', 'account'] as const;
export type ScopeKind = (typeof scopeKinds)[number];

/** Restricts usage, logs and statements to one member, project or service account. */
export interface Scope {
  readonly kind: ScopeKind;
  readonly id: number;
}

type Search = Readonly<Record<string, string | undefined>>;

export function readScope(search: Search): Scope | undefined {
  for (const kind of scopeKinds) {
    const id = Number(search[kind]);
    if (Number.isSafeInteger(id) && id > 0) return { kind, id };
  }
  return undefined;
}

/** Filters of the API. */
export const scopeParameters = (scope: Scope | undefined) => ({
  member_id: scope?.kind === 'member' ? scope.id : 0,
  project_id: scope?.kind === 'project' ? scope.id : 0,
  service_account_id: scope?.kind === 'account' ? scope.id : 0,
});

/** The scope in the URL. */
export function useScope() {
  const navigate = useNavigate();
  const scope = readScope(useSearch({ strict: false }) as Search);
  const setScope = (next: Scope | undefined) => {
    const cleared = Object.fromEntries(scopeKinds.map((kind) => [kind, undefined]));
    const search = updateQuery((before) => ({
      ...before,
      ...cleared,
      page: undefined,
      ...(next && { [next.kind]: next.id }),
    }));
    void navigate({ to: '.', search, replace: true });
  };
  return { scope, setScope };
}

interface ScopeGroup {
  readonly group: string;
  readonly items: readonly { readonly value: string; readonly label: string }[];
}

/** Members, projects and service accounts that the caller may select. */
export function useScopeGroups(organization: Organization, kinds: readonly ScopeKind[]): readonly ScopeGroup[] {
  const { t } = useTranslation();
  const { id } = organization;
  const seesOthers = hasPermission(organization, 'see_usage');
  const offers = (kind: ScopeKind) => kinds.includes(kind);
  const members = useQuery({ ...membersQuery(id), enabled: seesOthers && offers('member') });
  const projects = useQuery({ ...projectsQuery(id), enabled: offers('project') });
  const accounts = useQuery({
    ...serviceAccountsQuery(id),
    enabled: seesOthers && hasPermission(organization, 'see_tokens') && offers('account'),
  });
  const itemsOf = (kind: ScopeKind, rows: readonly { readonly id: number; readonly name: string }[] = []) =>
    rows.map((row) => ({ value: `${kind}:${row.id}`, label: row.name }));
  const memberRows = members.data?.map(({ user_id, username }) => ({ id: user_id, name: username }));
  const groups = [
    { group: t('Members'), items: itemsOf('member', memberRows) },
    { group: t('Projects'), items: itemsOf('project', projects.data) },
    { group: t('Service accounts'), items: itemsOf('account', accounts.data) },
  ];
  return groups.filter(({ items }) => items.length > 0);
}
