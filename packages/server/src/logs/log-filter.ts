import { type LogReason, logType } from '@headgate/contract';
import { hourTables, rollUpKeys } from './roll-up.ts';
import type { Span } from './time-span.ts';

interface Exact {
  readonly type: number;
  readonly user_id: number;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel: number;
  readonly group: string;
  readonly reason: LogReason | '';
}

/** Which logs: those whose columns equal these values, within this time. */
export interface LogFilter {
  readonly exact: Partial<Exact>;
  readonly within: Span;
  /** Nobody else has such logs: says nothing new, but leads to them. */
  readonly users?: readonly number[];
}

interface LogQuery {
  readonly type: number;
  readonly user_id?: number;
  readonly username?: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel?: number;
  readonly group?: string;
  readonly reason?: LogReason | '';
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** Reads a query in which empty and 0 mean any. */
export function filterOf({ start_timestamp, end_timestamp, ...query }: LogQuery): LogFilter {
  const { user_id, username, token_name, model_name, channel, group, reason } = query;
  // Who asks for a reason means what failed, unless he says otherwise.
  const type = reason && query.type === logType.all ? logType.failure : query.type;
  const given = Object.entries({ type, user_id, username, token_name, model_name, channel, group, reason }).filter(
    ([, value]) => value !== undefined && value !== '' && value !== 0,
  );
  return {
    exact: Object.fromEntries(given),
    within: { from: start_timestamp, to: end_timestamp === 0 ? Number.MAX_SAFE_INTEGER : end_timestamp },
  };
}

/** What the sums of failures know; their type goes without saying. */
const failureKeys: readonly string[] = ['channel', 'model_name', 'reason'];

type SumTable = (typeof hourTables)[number] | 'failure_hours';

/** The coarsest of the tables that can tell these logs from the others; undefined when none can. */
export function rollUpFor({ exact }: LogFilter): SumTable | undefined {
  if (exact.reason !== undefined) {
    const { type, ...others } = exact;
    const isKnown = type === logType.failure && Object.keys(others).every((column) => failureKeys.includes(column));
    return isKnown ? 'failure_hours' : undefined;
  }
  const knows = (table: (typeof hourTables)[number]) =>
    Object.keys(exact).every((column) => (rollUpKeys[table] as readonly string[]).includes(column));
  return hourTables.find(knows) ?? 'usage_hours';
}
