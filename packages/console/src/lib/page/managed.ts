import { type EditedThing, isAdmin, type ManagedKind, managedApi } from '@headgate/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useUser } from '../account/session.ts';
import { call } from '../api/call.ts';
import { useStatus } from './status.ts';

/** What a configuration file manages, or may one day: the server says what it does. */
export type MarkedKind = ManagedKind | EditedThing;

/** The ids and the names that the configuration file manages, by kind. */
type Marks = ReadonlyMap<string, ReadonlySet<number | string>>;

const managedQuery = queryOptions({
  queryKey: ['managed'],
  queryFn: async ({ signal }): Promise<Marks> => {
    const marks = new Map<string, Set<number | string>>();
    for (const { kind, id, name } of await call(managedApi.list, {}, { signal }))
      marks.set(kind, (marks.get(kind) ?? new Set()).add(id || name));
    return marks;
  },
  staleTime: 60_000,
  // The server refuses changes all the same.
  meta: { quiet: true },
});

/** Whether the configuration file manages a thing of this kind, told by its id or, where it has none, its name. */
export function useManaged(kind: MarkedKind | undefined): (key: number | string | undefined) => boolean {
  const { extensions } = useStatus();
  const user = useUser();
  const isAsked = kind !== undefined && extensions && user !== undefined && isAdmin(user);
  const { data } = useQuery({ ...managedQuery, enabled: isAsked });
  const marks = data?.get(kind ?? '');
  return (key) => key !== undefined && marks?.has(key) === true;
}
