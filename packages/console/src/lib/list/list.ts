import { pageSize } from '@headgate/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStatus } from '../page/status.ts';
import { type ListControl, type ListState, useListState } from './list-state.ts';
import { sortAndFilter } from './sort-and-filter.ts';

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Undefined if the server sends no total; further pages are then discovered one by one. */
  readonly total: number | undefined;
  /** True if there are more rows than `total`, because the server stopped counting. */
  readonly hasMore?: boolean;
}

interface ListSource<Row> {
  /** Name of the list in the URL, the query cache and browser storage. */
  readonly name: string;
  readonly read: (state: ListState, signal: AbortSignal) => Promise<ListPage<Row>>;
  /** Number of rows by status. Optional: without it, no counts are shown. */
  readonly counts?: (signal: AbortSignal) => Promise<Readonly<Record<string, number>>>;
  /** Additional dependencies of the rows, such as filters outside of the shared state. */
  readonly dependencies?: unknown;
}

export interface List<Row> extends ListControl {
  readonly name: string;
  readonly rows: readonly Row[];
  /** Number of rows received; higher than `rows.length` if the client filters them. */
  readonly loaded: number;
  /** Number of rows of a full page. */
  readonly size: number;
  readonly total: number | undefined;
  /** True if there are more rows than `total`. */
  readonly hasMore: boolean;
  readonly pageCount: number;
  /** True if the status filter applies only to this page, because the server does not filter. */
  readonly isPageOnly: boolean;
  readonly counts: Readonly<Record<string, number>> | undefined;
  /** Changes with keyword, status and filters. */
  readonly filterKey: string;
  readonly isLoading: boolean;
  readonly isRefreshing: boolean;
  readonly error: Error | null;
  refresh(): void;
}

export function useList<Row>({ name, read, counts, dependencies }: ListSource<Row>): List<Row> {
  const control = useListState(name);
  const { extensions } = useStatus();
  const { state } = control;
  const page = useQuery({
    queryKey: [name, 'list', state, dependencies],
    queryFn: ({ signal }) => read(state, signal),
    // Cached rows are shown immediately and refetched in the background.
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const tally = useQuery({
    queryKey: [name, 'counts'],
    queryFn: ({ signal }) => counts?.(signal) ?? {},
    enabled: counts !== undefined && extensions,
    retry: false,
    meta: { quiet: true },
  });
  const loaded = page.data?.rows ?? [];
  const total = page.data?.total;
  const queries = useQueryClient();
  const known = (p: number) =>
    queries.getQueryData<ListPage<Row>>([name, 'list', { ...state, p }, dependencies])?.rows.length;
  const size = total === undefined ? fullPage(known(0) ?? loaded.length) : state.size;
  const pageCount = countPages(state, { total, size, loaded: loaded.length, isLast: known(state.p + 1) === 0 });
  useClampPage(control, pageCount, page.isSuccess && !page.isPlaceholderData);
  return {
    ...control,
    name,
    rows: total === undefined ? sortAndFilter(loaded, state) : loaded,
    loaded: loaded.length,
    size,
    total,
    hasMore: page.data?.hasMore === true,
    pageCount,
    isPageOnly: total === undefined && state.status !== undefined && (pageCount > 1 || state.p > 0),
    counts: tally.data,
    filterKey: JSON.stringify([state.keyword, state.status, dependencies]),
    isLoading: page.isPending,
    isRefreshing: page.isFetching && !page.isPending,
    error: page.error,
    refresh: () => void queries.invalidateQueries({ queryKey: [name] }),
  };
}

interface LoadedPages {
  readonly total: number | undefined;
  readonly size: number;
  readonly loaded: number;
  /** True if the next page was loaded and is empty. */
  readonly isLast: boolean;
}

/** A server without totals may also ignore the page size, so the first page determines it. */
const fullPage = (first: number): number => Math.max(first, pageSize);

/** Number of pages. Without a total, a full page may have a successor, and a search is a single page. */
function countPages({ p, keyword }: ListState, { total, size, loaded, isLast }: LoadedPages): number {
  if (total !== undefined) return Math.max(Math.ceil(total / size), 1);
  if (keyword !== '') return 1;
  if (loaded === 0) return Math.max(p, 1);
  return loaded >= size && !isLast ? p + 2 : p + 1;
}

/**
 * Moves to the last page if the current one is past the end, because rows were deleted or the last page was exactly
 * full.
 */
function useClampPage({ state, change }: ListControl, pageCount: number, isKnown: boolean): void {
  useEffect(() => {
    if (isKnown && state.p > pageCount - 1) change({ p: pageCount - 1 });
  });
}

/** Optimistic updates of list rows by id. */
export function useListCache<Row extends { readonly id: number }>(name: string) {
  const queries = useQueryClient();
  const queryKey = [name, 'list'];
  const edit = (change: (rows: readonly Row[]) => readonly Row[]) =>
    queries.setQueriesData<ListPage<Row>>({ queryKey }, (part) => part && { ...part, rows: change(part.rows) });
  return {
    patch: (id: number, change: Partial<Row>) =>
      edit((rows) => rows.map((row) => (row.id === id ? { ...row, ...change } : row))),
    remove: (id: number) => edit((rows) => rows.filter((row) => row.id !== id)),
    refresh: () => queries.invalidateQueries({ queryKey: [name] }),
  };
}
