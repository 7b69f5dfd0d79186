import { useNavigate, useSearch } from '@tanstack/react-router';
import { queryChange } from '../page/address.ts';

type Search = Readonly<Record<string, string | undefined>>;

export interface ListFilters<Name extends string> {
  /** Those that are set, as the address holds them. */
  readonly filters: Readonly<Partial<Record<Name, string>>>;
  readonly isNarrowed: boolean;
  /** Shows the first page of what is left; undefined drops a filter. */
  change(filters: Readonly<Partial<Record<Name, string | undefined>>>): void;
  /** Drops them all, with the keyword and the status. */
  clear(): void;
}

/** A list's own filters beside keyword and status, kept in the address like those. */
export function useListFilters<const Name extends string>(names: readonly Name[]): ListFilters<Name> {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const go = (next: Search) =>
    void navigate({
      to: '.',
      search: queryChange((before) => ({ ...before, ...next, page: undefined })),
      replace: true,
    });
  const set = names.filter((name) => search[name]);
  return {
    filters: Object.fromEntries(set.map((name) => [name, search[name]])) as Partial<Record<Name, string>>,
    isNarrowed: set.length > 0,
    change: (filters) => go(filters as Search),
    clear: () =>
      go({ ...Object.fromEntries(names.map((name) => [name, undefined])), keyword: undefined, status: undefined }),
  };
}
