import { type EditableObject, isAdmin, type ManagedKind, managedApi } from '@headgate/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useUser } from '../account/session.ts';
import { call } from '../api/call.ts';
import { useStatus } from './status.ts';

/** Kinds that a configuration file may manage. */
export type ManageableKind = ManagedKind | EditableObject;

/** Ids or names managed by the configuration file, by kind. */
type ManagedKeys = ReadonlyMap<string, ReadonlySet<number | string>>;

const managedQuery = queryOptions({
  queryKey: ['managed'],
  queryFn: async ({ signal }): Promise<ManagedKeys> => {
    const marks = new Map<string, Set<number | string>>();
    for (const { kind, id, name } of await call(managedApi.list, {}, { signal }))
      marks.set(kind, (marks.get(kind) ?? new Set()).add(id || name));
    return marks;
  },
  staleTime: 60_000,
  // Only hides controls; the server rejects changes to managed resources anyway.
  meta: { quiet: true },
});

/** Checks whether the configuration file manages a resource, by id or name. */
export function useManaged(kind: ManageableKind | undefined): (key: number | string | undefined) => boolean {
  const { extensions } = useStatus();
  const user = useUser();
  const isEnabled = kind !== undefined && extensions && user !== undefined && isAdmin(user);
  const { data } = useQuery({ ...managedQuery, enabled: isEnabled });
  const marks = data?.get(kind ?? '');
  return (key) => key !== undefined && marks?.has(key) === true;
}
