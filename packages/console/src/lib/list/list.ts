import { pageSize } from '@headgate/contract';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStatus } from '../page/status.ts';
import { arrange } from './arrange.ts';
import { type ListControl, type ListState, useListState } from './list-state.ts';

export interface ListPart<Row> {
  readonly rows: readonly Row[];
  /** Undefined when the server does not tell: pages are then found one by one. */
  readonly total: number | undefined;
  /** There are more rows than `total`, which the server did not count. */
  readonly isMore?: boolean;
}

interface ListSource<Row> {
  /** Names the list in the address, the cache and the browser's memory. */
  readonly name: string;
  readonly read: (state: ListState, signal: AbortSignal) => Promise<ListPart<Row>>;
  /** How many rows there are in each status; optional, a server without it shows no counts. */
  readonly counts?: (signal: AbortSignal) => Promise<Readonly<Record<string, number>>>;
  /** More of what the rows depend on, such as filters outside the shared state. */
  readonly also?: unknown;
}

export interface List<Row> extends ListControl {
  readonly name: string;
  readonly rows: readonly Row[];
  /** How many came: more than the rows where a server without totals leaves it to us to narrow them. */
  readonly loaded: number;
  /** How many rows a full page has. */
  readonly size: number;
  readonly total: number | undefined;
  /** There are more rows than `total`. */
  readonly isMore: boolean;
  readonly pageCount: number;
  /**
   * The server neither counts nor narrows: a status is looked for among the rows of this page, and there are others.
   */
  readonly isPageOnly: boolean;
  readonly counts: Readonly<Record<string, number>> | undefined;
  /** Differs when other rows match: of another keyword, status or filter. */
  readonly filterKey: string;
  readonly isLoading: boolean;
  readonly isRefreshing: boolean;
  readonly error: Error | null;
  refresh(): void;
}

export function useList<Row>({ name, read, counts, also }: ListSource<Row>): List<Row> {
  const control = useListState(name);
  const { extensions } = useStatus();
  const { state } = control;
  const page = useQuery({
    queryKey: [name, 'list', state, also],
    queryFn: ({ signal }) => read(state, signal),
    // What was seen before shows at once and is read again behind.
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
  const known = (p: number) => queries.getQueryData<ListPart<Row>>([name, 'list', { ...state, p }, also])?.rows.length;
  const size = total === undefined ? fullPage(known(0) ?? loaded.length) : state.size;
  const pageCount = countPages(state, { total, size, loaded: loaded.length, isLast: known(state.p + 1) === 0 });
  useStepBack(control, pageCount, page.isSuccess && !page.isPlaceholderData);
  return {
    ...control,
    name,
    rows: total === undefined ? arrange(loaded, state) : loaded,
    loaded: loaded.length,
    size,
    total,
    isMore: page.data?.isMore === true,
    pageCount,
    isPageOnly: total === undefined && state.status !== undefined && (pageCount > 1 || state.p > 0),
    counts: tally.data,
    filterKey: JSON.stringify([state.keyword, state.status, also]),
    isLoading: page.isPending,
    isRefreshing: page.isFetching && !page.isPending,
    error: page.error,
    refresh: () => void queries.invalidateQueries({ queryKey: [name] }),
  };
}

interface Seen {
  readonly total: number | undefined;
  readonly size: number;
  readonly loaded: number;
  /** The page behind it was looked at and is empty. */
  readonly isLast: boolean;
}

/** A server that tells no total may not know how many rows were asked for either: its first page says. */
const fullPage = (first: number): number => Math.max(first, pageSize);

/** How many pages there are. Without a total a full page may have another behind it, and a search is one page. */
function countPages({ p, keyword }: ListState, { total, size, loaded, isLast }: Seen): number {
  if (total !== undefined) return Math.max(Math.ceil(total / size), 1);
  if (keyword !== '') return 1;
  if (loaded === 0) return Math.max(p, 1);
  return loaded >= size && !isLast ? p + 2 : p + 1;
}

/** A page past the end (rows were deleted, or an exact multiple without a total) gives way to the last one. */
function useStepBack({ state, change }: ListControl, pageCount: number, isKnown: boolean): void {
  useEffect(() => {
    if (isKnown && state.p > pageCount - 1) change({ p: pageCount - 1 });
  });
}

/** Changes rows of a list where they are shown, by id, without waiting for the server. */
export function useListCache<Row extends { readonly id: number }>(name: string) {
  const queries = useQueryClient();
  const queryKey = [name, 'list'];
  const edit = (change: (rows: readonly Row[]) => readonly Row[]) =>
    queries.setQueriesData<ListPart<Row>>({ queryKey }, (part) => part && { ...part, rows: change(part.rows) });
  return {
    patch: (id: number, change: Partial<Row>) =>
      edit((rows) => rows.map((row) => (row.id === id ? { ...row, ...change } : row))),
    remove: (id: number) => edit((rows) => rows.filter((row) => row.id !== id)),
    refresh: () => queries.invalidateQueries({ queryKey: [name] }),
  };
}
