import { type Log, logEndCauses, logReasons } from '@headgate/contract';
import type { LogRow } from '../../platform/db/rows.ts';

/** A log as returned by the API. */
export const presentLog = (row: LogRow): Log => ({
  ...row,
  is_stream: row.is_stream === 1,
  system_prompt_reset: row.system_prompt_reset === 1,
  ended_by: knownIn(logEndCauses, row.ended_by),
  reason: knownIn(logReasons, row.reason),
  channel_name: '',
});

/** Unknown values, written by a later version, become empty instead of failing the whole list. */
const knownIn = <Name extends string>(table: Readonly<Record<Name, unknown>>, name: Name | ''): Name | '' =>
  name !== '' && Object.hasOwn(table, name) ? name : '';

/** Hides operator data from users: costs, channels and keys that were tried, nodes, and addresses of admins. */
export const presentOwnLog = (row: LogRow): Log => ({
  ...presentLog(row),
  cost: 0,
  node: '',
  channel: 0,
  detail: withoutOperator(row.detail),
});

const operatorsMembers = /"(?:from|attempts|hedges|rules|key|limits)":/;

function withoutOperator(detail: string): string {
  if (!operatorsMembers.test(detail)) return detail;
  // Details that cannot be parsed are omitted completely, because they may contain operator data anywhere.
  const read = objectIn(detail);
  if (!read) return '';
  const { from: _place, attempts, hedges: _paidBeside, rules: _applied, key: _key, limits: _counted, ...rest } = read;
  return JSON.stringify(attempts === undefined ? rest : { ...rest, attempts: listOf(attempts).map(withoutChannel) });
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function withoutChannel(attempt: unknown): unknown {
  if (!isObject(attempt)) return {};
  const { channel: _channel, key: _key, ...rest } = attempt;
  return rest;
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Not imported from `dialects`, because that would load all dialects in every export thread. */
function objectIn(text: string): Members | undefined {
  try {
    // trusted JSON: written by this program.
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
