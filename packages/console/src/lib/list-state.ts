import { largestPageSize, pageSize } from '@headgate/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';

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
  /** Everything but a change of page goes back to the first page. */
  change(change: Partial<ListState>): void;
}

const sizeKey = (name: string) => `list_size:${name}`;
const searchKey = (name: string) => `list_search:${name}`;

export function useListState(name: string): ListControl {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const state = readState(name, search);
  useEffect(() => {
    sessionStorage.setItem(searchKey(name), JSON.stringify(search));
  }, [name, search]);
  return {
    state,
    change(change) {
      if (change.size !== undefined) localStorage.setItem(sizeKey(name), String(change.size));
      const next = writeState({ ...state, ...('p' in change ? {} : { p: 0 }), ...change });
      void navigate({ to: '.', search: ((before: Search) => ({ ...before, ...next })) as never, replace: true });
    },
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

function readState(name: string, search: Search): ListState {
  const remembered = localStorage.getItem(sizeKey(name)) ?? undefined;
  const sort = search['sort'] ?? '';
  return {
    p: wholeNumber(search['page'], 1, 1_000_000_000) - 1,
    size: Math.min(wholeNumber(search['size'] ?? remembered, pageSize, largestPageSize), largestPageSize),
    keyword: search['keyword'] ?? '',
    order: search['order'] ?? '',
    sort: sort.replace(/^-/, '') || undefined,
    direction: sort.startsWith('-') ? 'desc' : 'asc',
    status: search['status'] === undefined ? undefined : wholeNumber(search['status'], 0, 1000),
  };
}

/** What is as usual does not stand in the address. */
function writeState({ p, size, keyword, order, sort, direction, status }: ListState): Search {
  return {
    page: p === 0 ? undefined : String(p + 1),
    size: size === pageSize ? undefined : String(size),
    keyword: keyword || undefined,
    order: order || undefined,
    sort: sort && (direction === 'desc' ? `-${sort}` : sort),
    status: status === undefined ? undefined : String(status),
  };
}

function wholeNumber(text: string | undefined, otherwise: number, most: number): number {
  return text !== undefined && /^\d{1,10}$/.test(text) && Number(text) >= 1 ? Math.min(Number(text), most) : otherwise;
}
