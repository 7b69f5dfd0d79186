import { type listsWithViews, viewApi } from '@headgate/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../account/session.ts';
import { call, callWithoutData } from '../api/call.ts';
import { useStatus } from '../page/status.ts';

export type ListWithViews = (typeof listsWithViews)[number];

/** A named query string of a list. */
export interface View {
  readonly name: string;
  readonly search: Readonly<Record<string, string | undefined>>;
}

/** True if the URL matches the view, on any page. */
export function isActiveView({ search }: View, shown: View['search']): boolean {
  const set = (all: View['search']) =>
    new URLSearchParams(
      Object.entries(all).flatMap(([field, value]) =>
        value === undefined || field === 'page' ? [] : [[field, value]],
      ),
    );
  const [kept, now] = [set(search), set(shown)];
  kept.sort();
  now.sort();
  return kept.toString() === now.toString();
}

interface SavedViews {
  readonly views: readonly View[];
  /** Replaces a view with the same name. */
  save(view: View): void;
  remove(name: string): void;
}

/** Saved views of a list: stored in the account, or in the browser if the server does not support that. */
export function useSavedViews(list: ListWithViews): SavedViews {
  const { extensions } = useStatus();
  const key = `views:${list}:${useUser()?.id ?? 0}`;
  const inBrowser = useViewsInBrowser(key);
  const ofAccount = useViewsOfAccount(list, key, extensions);
  return extensions ? ofAccount : inBrowser;
}

function useViewsOfAccount(list: ListWithViews, key: string, isKnown: boolean): SavedViews {
  const queries = useQueryClient();
  const query = queryOptions({
    queryKey: ['views', list],
    queryFn: async ({ signal }) => {
      await moveToAccount(list, key);
      const views = await call(viewApi.list, { query: { list } }, { signal });
      return views.map(({ name, query: text }) => ({ name, search: Object.fromEntries(new URLSearchParams(text)) }));
    },
    meta: { quiet: true },
  });
  const { data: views = [] } = useQuery({ ...query, enabled: isKnown });
  const refresh = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const saving = useMutation({ mutationFn: (view: View) => saveInAccount(list, view), onSettled: refresh });
  const removal = useMutation({
    mutationFn: (name: string) => callWithoutData(viewApi.remove, { query: { list, name } }),
    onSettled: refresh,
  });
  return { views, save: (view) => saving.mutate(view), remove: (name) => removal.mutate(name) };
}

/** Moves views from the browser to the account. Views that fail to move stay in the browser. */
async function moveToAccount(list: ListWithViews, key: string): Promise<void> {
  for (const view of readViews(key)) {
    const isMoved = await saveInAccount(list, view).then(
      () => true,
      () => false,
    );
    if (!isMoved) continue;
    writeViews(
      key,
      readViews(key).filter(({ name }) => name !== view.name),
    );
  }
}

function saveInAccount(list: ListWithViews, { name, search }: View): Promise<void> {
  const set = Object.entries(search).flatMap(([field, value]) => (value === undefined ? [] : [[field, value]]));
  return callWithoutData(viewApi.save, { body: { list, name, query: new URLSearchParams(set).toString() } });
}

function useViewsInBrowser(key: string): SavedViews {
  const [views, setViews] = useState(() => readViews(key));
  const keep = (next: readonly View[]) => {
    writeViews(key, next);
    setViews(next);
  };
  const others = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    save: (view) => keep([...others(view.name), view].toSorted((one, two) => one.name.localeCompare(two.name))),
    remove: (name) => keep(others(name)),
  };
}

function writeViews(key: string, views: readonly View[]): void {
  if (views.length === 0) localStorage.removeItem(key);
  else localStorage.setItem(key, JSON.stringify(views));
}

function readViews(key: string): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

const isView = (value: unknown): value is View =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as View).name === 'string' &&
  typeof (value as View).search === 'object' &&
  Object.values((value as View).search ?? { none: null }).every((text) => typeof text === 'string');
