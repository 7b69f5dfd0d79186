/** The tables of hourly sums with the columns that keep their rows apart, coarsest first. */
export const rollUpKeys = {
  log_hours: ['hour', 'type'],
  model_hours: ['model_name', 'hour', 'type'],
  channel_hours: ['channel', 'hour', 'type'],
  usage_hours: ['hour', 'type', 'user_id', 'username', 'token_name', 'model_name', 'channel'],
} as const;

export type RollUpTable = keyof typeof rollUpKeys;

export const rollUpTables = Object.keys(rollUpKeys) as RollUpTable[];

export const counters = ['rows', 'quota', 'prompt_tokens', 'completion_tokens'] as const;

type Sums = Record<(typeof counters)[number], number>;

interface Key {
  readonly hour: number;
  readonly type: number;
  readonly user_id: number;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel: number;
}

export type Countable = Omit<Key, 'hour'> & Omit<Sums, 'rows'> & { readonly created_at: number };

/** What logs have in common with their own sums: sums can be summed again. */
type Summable = Key & Sums;

/** A row of a roll-up; of the key, only the columns of its table are there. */
export type RollUpRow = Partial<Key> & Pick<Key, 'hour' | 'type'> & Sums;

export const secondsPerHour = 3600;

/** The first second of the hour a time falls into. */
const hourOf = (time: number): number => time - (time % secondsPerHour);

/** Rows without a model or a channel are found by neither. */
const isCounted: Readonly<Record<RollUpTable, (row: Summable) => boolean>> = {
  log_hours: () => true,
  model_hours: ({ model_name }) => model_name !== '',
  channel_hours: ({ channel }) => channel !== 0,
  usage_hours: () => true,
};

/**
 * What logs add to a table of hourly sums. In the order of their keys: transactions that add to the same rows then wait
 * for each other instead of locking each other out.
 */
export function rollUp(table: RollUpTable, finest: readonly Summable[]): RollUpRow[] {
  const sums = new Map<string, RollUpRow>();
  for (const each of finest.filter(isCounted[table])) {
    const name = nameOf(rollUpKeys[table], each);
    const sum = sums.get(name) ?? { ...keyOf(table, each), ...zeroSums };
    sum.rows += each.rows;
    sum.quota += each.quota;
    sum.prompt_tokens += each.prompt_tokens;
    sum.completion_tokens += each.completion_tokens;
    sums.set(name, sum);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

/** Logs that no table tells apart, as one; few for a batch of logs, so that the tables are quickly made from them. */
export function finestSums(logs: readonly Countable[]): Summable[] {
  const sums = new Map<string, Summable>();
  for (const log of logs) {
    const { type, user_id, username, token_name, model_name, channel } = log;
    const hour = hourOf(log.created_at);
    const name = `${hour}\0${type}\0${user_id}\0${username}\0${token_name}\0${model_name}\0${channel}`;
    let sum = sums.get(name);
    if (!sum) {
      sum = { hour, type, user_id, username, token_name, model_name, channel, ...zeroSums };
      sums.set(name, sum);
    }
    sum.rows += 1;
    sum.quota += log.quota;
    sum.prompt_tokens += log.prompt_tokens;
    sum.completion_tokens += log.completion_tokens;
  }
  return [...sums.values()];
}

/** A key as one text. No text that can be stored holds a null character, so that no two keys read the same. */
const nameOf = (columns: readonly (keyof Key)[], key: Key) => columns.map((column) => key[column]).join('\0');

const keyOf = (table: RollUpTable, whole: Key) =>
  Object.fromEntries(rollUpKeys[table].map((column) => [column, whole[column]])) as unknown as Key;

const zeroSums: Sums = { rows: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 };
