import { logType, type Usage, type UsageAxis, type UsageHeading, type UsageTotals } from '@headgate/contract';
import type { LogRow } from '../../platform/db/rows.ts';

type Log = Pick<
  LogRow,
  | 'created_at'
  | 'type'
  | 'user_id'
  | 'token_name'
  | 'model_name'
  | 'channel'
  | 'group'
  | 'quota'
  | 'prompt_tokens'
  | 'completion_tokens'
  | 'cached_tokens'
  | 'cost'
>;

const measured = ['quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cost'] as const;

function sumsOf(logs: readonly Log[]): UsageTotals {
  const sums = { requests: logs.length, failures: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 };
  const all: UsageTotals = { ...sums, cached_tokens: 0, cost: 0, uncosted_quota: 0 };
  for (const log of logs) {
    all.failures += log.type === logType.failure ? 1 : 0;
    if (log.cost === 0) all.uncosted_quota += log.quota;
    for (const measure of measured) all[measure] += log[measure];
  }
  return all;
}

const keyOf = (offset: number): Record<UsageAxis, (log: Log) => string> => {
  const localTime = ({ created_at }: Log) => new Date((created_at + offset) * 1000).toISOString();
  return {
    model: ({ model_name }) => model_name,
    user: ({ user_id }) => String(user_id),
    token: ({ token_name }) => token_name,
    channel: ({ channel }) => String(channel),
    group: ({ group }) => group,
    tag: () => '',
    hour: (log) => localTime(log).slice(0, 13),
    day: (log) => localTime(log).slice(0, 10),
    week: (log) => localTime(log).slice(0, 10),
    month: (log) => localTime(log).slice(0, 7),
  };
};

interface Expected {
  readonly rows: UsageAxis;
  readonly columns: UsageAxis | '';
  /** UTC offset of the usage request in seconds. */
  readonly offset: number;
}

/** Returns the total, rows and cells of a usage response, and the same values computed from the logs. */
export function compareUsageWithLogs(usage: Usage, logs: readonly Log[], { rows, columns, offset }: Expected) {
  const keys = keyOf(offset);
  const isIn = (axis: UsageAxis, heading: UsageHeading) => (log: Log) => keys[axis](log) === heading.key;
  const named = usage.rows.filter(({ is_others }) => !is_others);
  const namedColumns = usage.columns.filter(({ is_others }) => !is_others);
  const reported = {
    total: usage.total,
    rows: named.map(({ total }) => total),
    cells: named.map((_, at) => namedColumns.map((_column, position) => usage.cells[at]?.[position])),
  };
  const added = {
    total: sumsOf(logs),
    rows: named.map((row) => sumsOf(logs.filter(isIn(rows, row)))),
    cells: named.map((row) =>
      namedColumns.map((column) =>
        sumsOf(columns === '' ? [] : logs.filter(isIn(rows, row)).filter(isIn(columns, column))),
      ),
    ),
  };
  return { reported, added };
}
