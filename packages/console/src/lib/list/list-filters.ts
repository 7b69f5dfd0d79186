import { useNavigate, useSearch } from '@tanstack/react-router';
import { updateQuery } from '../page/address.ts';

type Search = Readonly<Record<string, string | undefined>>;

export interface ListFilters<Name extends string> {
  /** Active filters, as in the URL. */
  readonly filters: Readonly<Partial<Record<Name, string>>>;
  readonly isNarrowed: boolean;
  /** Changes filters and returns to the first page; undefined removes a filter. */
  change(filters: Readonly<Partial<Record<Name, string | undefined>>>): void;
  /** Removes all filters, the keyword and the status. */
  clear(): void;
}

/** Filters of a list besides keyword and status, stored in the URL. */
export function useListFilters<const Name extends string>(names: readonly Name[]): ListFilters<Name> {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const go = (next: Search) =>
    void navigate({
      to: '.',
      search: updateQuery((before) => ({ ...before, ...next, page: undefined })),
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
