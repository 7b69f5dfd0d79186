import type { ZodMiniType } from 'zod/mini';
import { readResponse } from '../api/read-response.ts';

export interface StoredValue<T> {
  get(): T | undefined;
  set(value: T | undefined): void;
  subscribe(listener: () => void): () => void;
}

/** A value in browser storage with change notifications across tabs. Invalid values count as absent. */
export function createStoredValue<T>(key: string, schema: ZodMiniType<T>): StoredValue<T> {
  const listeners = new Set<() => void>();
  const notifyAll = () => {
    for (const listener of listeners) listener();
  };
  let text: string | null | undefined;
  let value: T | undefined;
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) notifyAll();
  });
  return {
    get() {
      const now = localStorage.getItem(key);
      // Returns the same object for the same text, so that it can be compared by identity.
      if (now !== text) {
        text = now;
        value = parse(schema, now);
      }
      return value;
    },
    set(next) {
      if (next === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
      notifyAll();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function parse<T>(schema: ZodMiniType<T>, text: string | null): T | undefined {
  if (text === null) return undefined;
  try {
    return readResponse(schema, JSON.parse(text))?.data;
  } catch {
    return undefined;
  }
}
