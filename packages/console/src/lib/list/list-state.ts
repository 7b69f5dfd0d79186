import { largestPageSize, pageSize } from '@headgate/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { queryChange } from '../page/address.ts';
import { useIsPhone } from '../page/phone.ts';
import { currentDensity, rowHeights, useChosenSize, useDensity } from './list-look.ts';
import { rowsByHeight } from './rows-by-height.ts';

/** What a list shows: kept in the address, so that it can be shared, reloaded and gone back to. */
export interface ListState {
  /** Counted from 0, as the server does; the address counts from 1. */
  readonly p: number;
  readonly size: number;
  readonly keyword: string;
  /** The dropdown's order; empty is the list's own. */
  readonly order: string;
  readonly sort: string | undefined;
  readonly direction: 'asc' | 'desc';
  readonly status: number | undefined;
}

type Search = Readonly<Record<string, string | undefined>>;

export interface ListControl {
  readonly state: ListState;
  /** How many rows a page has when nobody chooses: as many as the window has room for. */
  readonly sizeByHeight: number;
  /** Whether the size of a page is that one, and not one that somebody chose. */
  readonly isSizeByHeight: boolean;
  /** Everything but a change of page goes back to the first page. */
  change(change: Partial<ListState>): void;
  /** Forgets the size that was chosen. */
  followHeight(): void;
}

const searchKey = (name: string) => `list_search:${name}`;

export function useListState(name: string): ListControl {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const sizeByHeight = useSizeByHeight();
  const [chosen, choose] = useChosenSize(name);
  const usualSize = chosen ?? sizeByHeight;
  const state = readState(search, usualSize);
  useEffect(() => {
    sessionStorage.setItem(searchKey(name), JSON.stringify(search));
  }, [name, search]);
  const go = (next: ListState, usual: number) => {
    const written = writeState(next, usual);
    void navigate({ to: '.', search: queryChange((before) => ({ ...before, ...written })), replace: true });
  };
  return {
    state,
    sizeByHeight,
    isSizeByHeight: chosen === undefined && state.size === sizeByHeight,
    change(change) {
      if (change.size !== undefined) choose(change.size);
      go({ ...state, ...('p' in change ? {} : { p: 0 }), ...change }, change.size ?? usualSize);
    },
    followHeight() {
      choose(undefined);
      go({ ...state, p: 0, size: sizeByHeight }, sizeByHeight);
    },
  };
}

/** Cards are of all heights, and a phone's window changes its own with every scroll: there the page is the usual one. */
function useSizeByHeight(): number {
  const isPhone = useIsPhone();
  useDensity();
  const fitting = useSyncExternalStore(subscribeToHeight, sizeNow);
  return isPhone ? pageSize : fitting;
}

const sizeNow = () => rowsByHeight(window.innerHeight, rowHeights[currentDensity()]);

/** Tells when a window has been given another height, not while it is being pulled. */
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

/** The address of a list as it was last seen, for the way back from a form. */
export function lastSeen(name: string): Search {
  try {
    return JSON.parse(sessionStorage.getItem(searchKey(name)) ?? '{}') as Search;
  } catch {
    return {};
  }
}

/** What narrows a list beside filters of its own, as calls spell it. */
export const narrowingOf = ({ keyword, status }: ListState) => ({ keyword, ...(status !== undefined && { status }) });

/** A later page without a size is one of the usual size, in whatever window: its address means the same rows to all. */
function readState(search: Search, usualSize: number): ListState {
  const p = wholeNumber(search['page'], 1, 1_000_000_000) - 1;
  const sort = search['sort'] ?? '';
  return {
    p,
    size: wholeNumber(search['size'], p === 0 ? usualSize : pageSize, largestPageSize),
    keyword: search['keyword'] ?? '',
    order: search['order'] ?? '',
    sort: sort.replace(/^-/, '') || undefined,
    direction: sort.startsWith('-') ? 'desc' : 'asc',
    status: search['status'] === undefined ? undefined : wholeNumber(search['status'], 0, 1000),
  };
}

/** What is as usual does not stand in the address. */
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

function wholeNumber(text: string | undefined, otherwise: number, most: number): number {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) >= 1 ? Math.min(Number(text), most) : otherwise;
}
