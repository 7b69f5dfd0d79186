import {
  type LogReason,
  type LogSubject,
  logType,
  readSubject,
  type SearchedText,
  searchedTextsIn,
} from '@headgate/contract';
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
  readonly request_id: string;
}

/** With more owners than this a name narrows nothing down. */
export const mostOwners = 50;

/** Which logs: those whose columns equal these values, within this time. */
export interface LogFilter {
  readonly exact: Partial<Exact>;
  /** Texts that columns must contain, whatever their case. */
  readonly containing?: Readonly<Partial<Record<SearchedText, string>>>;
  /** The logs of what became of one thing. */
  readonly about?: LogSubject | undefined;
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
  readonly request_id?: string;
  readonly contains?: string;
  readonly about?: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** Reads a query in which empty and 0 mean any. */
export function filterOf({ start_timestamp, end_timestamp, ...query }: LogQuery): LogFilter {
  const { user_id, username, token_name, model_name, channel, group, reason, request_id } = query;
  // Who asks for a reason means what failed, unless he says otherwise.
  const type = reason && query.type === logType.all ? logType.failure : query.type;
  const columns = { type, user_id, username, token_name, model_name, channel, group, reason, request_id };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined && value !== '' && value !== 0);
  const searched: readonly string[] = searchedTextsIn(query.contains ?? '');
  return {
    exact: Object.fromEntries(given.filter(([name]) => !searched.includes(name))),
    containing: Object.fromEntries(given.filter(([name]) => searched.includes(name))),
    about: readSubject(query.about ?? ''),
    within: { from: start_timestamp, to: end_timestamp === 0 ? Number.MAX_SAFE_INTEGER : end_timestamp },
  };
}

/** What the sums of failures know; their type goes without saying. */
const failureKeys: readonly string[] = ['channel', 'model_name', 'reason'];

type SumTable = (typeof hourTables)[number] | 'failure_hours';

/** The coarsest of the tables that can tell these logs from the others; undefined when none can. */
export function rollUpFor({ exact, containing = {}, about }: LogFilter): SumTable | undefined {
  if (exact.request_id !== undefined || about !== undefined) return undefined;
  const asked = [...Object.keys(exact), ...Object.keys(containing)];
  if (exact.reason !== undefined) {
    const isKnown = asked.every((column) => column === 'type' || failureKeys.includes(column));
    return isKnown && exact.type === logType.failure ? 'failure_hours' : undefined;
  }
  const knows = (table: (typeof hourTables)[number]) =>
    asked.every((column) => (rollUpKeys[table] as readonly string[]).includes(column));
  return hourTables.find(knows) ?? 'usage_hours';
}
