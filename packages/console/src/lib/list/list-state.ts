import { maxPageSize, pageSize } from '@headgate/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { updateQuery } from '../page/address.ts';
import { useIsPhone } from '../page/phone.ts';
import { currentDensity, rowHeights, useDensity, usePageSize } from './list-display.ts';
import { rowsByHeight } from './rows-by-height.ts';

/** State of a list. Stored in the URL, so that it can be shared, reloaded and navigated. */
export interface ListState {
  /** Zero-based, as in the API; the URL is one-based. */
  readonly p: number;
  readonly size: number;
  readonly keyword: string;
  /** Order of the dropdown; empty for the default. */
  readonly order: string;
  readonly sort: string | undefined;
  readonly direction: 'asc' | 'desc';
  readonly status: number | undefined;
}

type Search = Readonly<Record<string, string | undefined>>;

export interface ListControl {
  readonly state: ListState;
  /** Default page size: the number of rows that fit the window. */
  readonly sizeByHeight: number;
  /** True if the page size is the default and not chosen. */
  readonly isAutoSize: boolean;
  /** Returns to the first page unless the page itself is changed. */
  change(change: Partial<ListState>): void;
  /** Resets the chosen page size. */
  resetSize(): void;
}

const searchKey = (name: string) => `list_search:${name}`;

export function useListState(name: string): ListControl {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const sizeByHeight = useSizeByHeight();
  const [chosen, choose] = usePageSize(name);
  const usualSize = chosen ?? sizeByHeight;
  const state = readState(search, usualSize);
  useEffect(() => {
    sessionStorage.setItem(searchKey(name), JSON.stringify(search));
  }, [name, search]);
  const go = (next: ListState, usual: number) => {
    const written = writeState(next, usual);
    void navigate({ to: '.', search: updateQuery((before) => ({ ...before, ...written })), replace: true });
  };
  return {
    state,
    sizeByHeight,
    isAutoSize: chosen === undefined && state.size === sizeByHeight,
    change(change) {
      if (change.size !== undefined) choose(change.size);
      go({ ...state, ...('p' in change ? {} : { p: 0 }), ...change }, change.size ?? usualSize);
    },
    resetSize() {
      choose(undefined);
      go({ ...state, p: 0, size: sizeByHeight }, sizeByHeight);
    },
  };
}

/** Phones use a fixed page size, because cards have different heights and the window height changes while scrolling. */
function useSizeByHeight(): number {
  const isPhone = useIsPhone();
  useDensity();
  const fitting = useSyncExternalStore(subscribeToHeight, sizeNow);
  return isPhone ? pageSize : fitting;
}

const sizeNow = () => rowsByHeight(window.innerHeight, rowHeights[currentDensity()]);

/** Notifies after the window height has changed, debounced while resizing. */
function subscribeToHeight(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(listener, 200);
  };
  window.addEventListener('resize', wait);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('resize', wait);
  };
}

/** Last query string of a list, used to return from a form. */
export function lastListSearch(name: string): Search {
  try {
    return JSON.parse(sessionStorage.getItem(searchKey(name)) ?? '{}') as Search;
  } catch {
    return {};
  }
}

/** Keyword and status as API parameters. */
export const filterParameters = ({ keyword, status }: ListState) => ({
  keyword,
  ...(status !== undefined && { status }),
});

/** A later page without a size uses the fixed page size, so that its URL shows the same rows in any window. */
function readState(search: Search, usualSize: number): ListState {
  const p = wholeNumber(search['page'], 1, 1_000_000_000) - 1;
  const sort = search['sort'] ?? '';
  return {
    p,
    size: wholeNumber(search['size'], p === 0 ? usualSize : pageSize, maxPageSize),
    keyword: search['keyword'] ?? '',
    order: search['order'] ?? '',
    sort: sort.replace(/^-/, '') || undefined,
    direction: sort.startsWith('-') ? 'desc' : 'asc',
    status: search['status'] === undefined ? undefined : wholeNumber(search['status'], 0, 1000),
  };
}

/** Omits default values from the URL. */
function writeState({ p, size, keyword, order, sort, direction, status }: ListState, usualSize: number): Search {
  return {
    page: p === 0 ? undefined : String(p + 1),
    size: size === (p === 0 ? usualSize : pageSize) ? undefined : String(size),
    keyword: keyword || undefined,
    order: order || undefined,
    sort: sort && (direction === 'desc' ? `-${sort}` : sort),
    status: status === undefined ? undefined : String(status),
  };
}

function wholeNumber(text: string | undefined, otherwise: number, max: number): number {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) >= 1 ? Math.min(Number(text), max) : otherwise;
}
