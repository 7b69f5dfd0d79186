import { useState } from 'react';
import { useUser } from './session.ts';

/** What a list's address held, under a name. */
export interface View {
  readonly name: string;
  readonly search: Readonly<Record<string, string | undefined>>;
}

/** The views somebody has saved of a list: kept in this browser, for each person apart. */
export function useSavedViews(list: string) {
  const key = `views:${list}:${useUser()?.id ?? 0}`;
  const [views, setViews] = useState(() => readViews(key));
  const keep = (next: readonly View[]) => {
    localStorage.setItem(key, JSON.stringify(next));
    setViews(next);
  };
  const others = (name: string) => views.filter((view) => view.name !== name);
  return {
    views,
    /** Takes the place of another of this name. */
    save: (view: View) => keep([...others(view.name), view].toSorted((one, two) => one.name.localeCompare(two.name))),
    remove: (name: string) => keep(others(name)),
  };
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
  typeof (value as View).search === 'object';
