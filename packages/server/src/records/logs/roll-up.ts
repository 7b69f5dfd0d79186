import { logType } from '@headgate/contract';

/** The tables of sums with the columns that keep their rows apart. */
export const rollUpKeys = {
  log_hours: ['hour', 'type'],
  model_hours: ['model_name', 'hour', 'type', 'group'],
  channel_hours: ['channel', 'hour', 'type', 'model_name'],
  user_days: ['day', 'type', 'user_id'],
  usage_hours: ['hour', 'type', 'user_id', 'username', 'token_name', 'model_name', 'channel', 'group'],
  user_hours: ['user_id', 'hour', 'type', 'username', 'model_name', 'group'],
  token_hours: ['token_name', 'hour', 'type'],
} as const;

export type RollUpTable = keyof typeof rollUpKeys;

/** Those that every log is added to at once; the hours of users and of token names are made later, when their hour is packed. */
export const writtenTables = ['log_hours', 'model_hours', 'channel_hours', 'user_days', 'usage_hours'] as const;

/** Those of hours among them, coarsest first. */
export const hourTables = ['log_hours', 'model_hours', 'channel_hours', 'usage_hours'] as const;

export const counters = [
  ...(['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'] as const),
];

type Sums = Record<(typeof counters)[number], number>;

interface Key {
  readonly hour: number;
  readonly day: number;
  readonly type: number;
  readonly user_id: number;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel: number;
  readonly group: string;
}

export type Countable = Omit<Key, 'hour' | 'day'> & Omit<Sums, 'rows'> & { readonly created_at: number };

/** What logs have in common with their own sums: sums can be summed again. */
export type Summable = Key & Sums;

/** A row of a roll-up; of the key, only the columns of its table are there. */
export type RollUpRow = Partial<Key> & Sums;

export const secondsPerHour = 3600;
export const secondsPerDay = 86_400;

/** The first second of the hour a time falls into. */
export const hourOf = (time: number): number => time - (time % secondsPerHour);

/** The last second of the hour that a time falls into. */
export const endOfHour = (time: number): number => hourOf(time) + secondsPerHour - 1;

/** Whether it is about a request: only those are usage. */
export const isRequest = (type: number): boolean => type === logType.consumption || type === logType.failure;

/** Rows without a model or a channel are found by neither. */
const isCounted: Readonly<Record<RollUpTable, (row: Summable) => boolean>> = {
  log_hours: () => true,
  model_hours: ({ model_name, group }) => model_name !== '' || group !== '',
  channel_hours: ({ channel }) => channel !== 0,
  user_days: () => true,
  usage_hours: () => true,
  user_hours: ({ type }) => isRequest(type),
  token_hours: ({ token_name }) => token_name !== '',
};

/**
 * What logs add to a table of sums. In the order of their keys: transactions that add to the same rows then wait for each
 * other instead of locking each other out.
 */
export function rollUp(table: RollUpTable, finest: readonly Summable[]): RollUpRow[] {
  const sums = new Map<string, RollUpRow>();
  for (const each of finest.filter(isCounted[table])) {
    const name = nameOf(rollUpKeys[table], each);
    let sum = sums.get(name);
    if (!sum) {
      sum = { ...keyOf(table, each), ...zeroSums };
      sums.set(name, sum);
    }
    sum.rows += each.rows;
    add(sum, each);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

/** Logs that no table tells apart, as one; few for a batch of logs, so that the tables are quickly made from them. */
export function finestSums(logs: readonly Countable[]): Summable[] {
  const sums = new Map<string, Summable>();
  for (const log of logs) {
    const { type, user_id, username, token_name, model_name, channel, group } = log;
    const hour = hourOf(log.created_at);
    const name = `${hour}\0${type}\0${user_id}\0${username}\0${token_name}\0${model_name}\0${channel}\0${group}`;
    let sum = sums.get(name);
    if (!sum) {
      const day = hour - (hour % secondsPerDay);
      sum = { hour, day, type, user_id, username, token_name, model_name, channel, group, ...zeroSums };
      sums.set(name, sum);
    }
    sum.rows += 1;
    add(sum, log);
  }
  return [...sums.values()];
}

function add(sum: Sums, each: Omit<Sums, 'rows'>): void {
  sum.quota += each.quota;
  sum.prompt_tokens += each.prompt_tokens;
  sum.completion_tokens += each.completion_tokens;
  sum.cached_tokens += each.cached_tokens;
  sum.cache_write_tokens += each.cache_write_tokens;
  sum.cost += each.cost;
}

/** A key as one text. No text that can be stored holds a null character, so that no two keys read the same. */
const nameOf = (columns: readonly (keyof Key)[], key: Key) => columns.map((column) => key[column]).join('\0');

const keyOf = (table: RollUpTable, whole: Key) =>
  Object.fromEntries(rollUpKeys[table].map((column) => [column, whole[column]])) as unknown as Key;

const zeroSums: Sums = {
  rows: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  cost: 0,
};
