import type { Log } from '@headgate/contract';
import type { ListState } from '../../lib/list/list-state.ts';

const sortable = {
  created_at: true,
  prompt_tokens: true,
  completion_tokens: true,
  quota: true,
} as const satisfies Partial<Record<keyof Log, true>>;

export type LogOrder = keyof typeof sortable;

const isOrder = (name: string): name is LogOrder => Object.hasOwn(sortable, name);

/** Sorts the rows of one page, because the server sorts logs only by time. */
export function orderLogs(logs: readonly Log[], { sort = '', direction }: Pick<ListState, 'sort' | 'direction'>) {
  if (!isOrder(sort)) return logs;
  const sign = direction === 'asc' ? 1 : -1;
  return logs.toSorted((one, other) => sign * (one[sort] - other[sort]));
}
