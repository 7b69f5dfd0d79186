import type { LogCursor } from './log-list-repository.ts';

/** Undefined for an empty string. */
export function readCursor(text: string): LogCursor | undefined {
  const [created_at, id] = text.split('-').map(Number);
  return id === undefined ? undefined : { created_at: created_at ?? 0, id };
}
