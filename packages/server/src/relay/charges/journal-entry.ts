import { type LogEnder, logType } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { earlierLogColumns, formerLogColumns, logColumns, logOf, valuesOf } from '../../records/logs/log-values.ts';
import type { Charge } from './charge.ts';

/** A group of charges as the journal keeps it. */
export interface JournalEntry {
  readonly id: number;
  readonly version: number;
  readonly charges: string;
}

/** What can be told of an entry that cannot be read. */
export interface UnreadableEntry {
  readonly entry: JournalEntry;
  readonly reason: string;
  /** What it seems to hold: whose points, and how many. */
  readonly holds: readonly { readonly user: number; readonly quota: number }[];
}

type Packed = readonly [
  quota: number,
  user: number,
  token: number,
  isTokenLimited: boolean,
  channel: number,
  record: readonly unknown[] | null,
  kept?: PackedKept | null,
  budgets?: readonly number[],
];

type PackedKept = readonly [
  id: string,
  tokens: number,
  attachedTokens: number,
  itemTokens?: number,
  items?: readonly string[],
  key?: number,
];

/** Grows whenever the columns of the log or the fields of a charge change; the old ones stay readable. */
const currentVersion = 8;

interface Format {
  /** The columns of a record. */
  readonly columns: readonly string[];
  /** How many values a charge has. */
  readonly length: number;
  /** How many values a kept response has. */
  readonly keptLength: number;
}

/**
 * The first did not know who had ended a request, the second not which responses are kept, the third not by which group
 * and at what cost, the fourth not the items of kept responses, the fifth not which node had
 * served it, the sixth not with which of several keys, the seventh no budgets.
 */
const formats: ReadonlyMap<number, Format> = new Map([
  [1, { columns: earlierLogColumns.filter((column) => column !== 'ended_by'), length: 6, keptLength: 0 }],
  [2, { columns: earlierLogColumns, length: 6, keptLength: 0 }],
  [3, { columns: earlierLogColumns, length: 7, keptLength: 3 }],
  [4, { columns: formerLogColumns, length: 7, keptLength: 3 }],
  [5, { columns: formerLogColumns, length: 7, keptLength: 5 }],
  [6, { columns: logColumns, length: 7, keptLength: 5 }],
  [7, { columns: logColumns, length: 7, keptLength: 6 }],
  [currentVersion, { columns: logColumns, length: 8, keptLength: 6 }],
]);

const texts: ReadonlySet<string> = new Set<(typeof logColumns)[number]>([
  ...(['content', 'username', 'token_name', 'model_name', 'request_id', 'detail', 'ended_by'] as const),
  ...(['group', 'reason', 'node'] as const),
]);

export const entryOf = (id: number, charges: readonly Charge[]): JournalEntry => ({
  id,
  version: currentVersion,
  charges: JSON.stringify(charges.map(packed)),
});

/** Without names, which would be half of the text. */
const packed = ({ quota, user, token, isTokenLimited, channel, record, kept, budgets = [] }: Charge): Packed => [
  quota,
  user,
  token,
  isTokenLimited,
  channel,
  record ? valuesOf(record) : null,
  kept ? [kept.id, kept.tokens, kept.attachedTokens, kept.itemTokens, kept.items, kept.key] : null,
  budgets,
];

/** The charges of an entry; or why it cannot be read, and what it seems to hold. */
export function readEntry(entry: JournalEntry): readonly Charge[] | UnreadableEntry {
  const format = formats.get(entry.version);
  const values = parseJson(entry.charges);
  const unreadable = (reason: string): UnreadableEntry => ({ entry, reason, holds: holdingsOf(values) });
  if (!format) return unreadable(`version ${entry.version} is not known`);
  if (values === undefined) return unreadable('it is not JSON');
  if (!Array.isArray(values)) return unreadable('it is no list of charges');
  if (!values.every((value) => isPacked(value, format))) return unreadable('a charge in it has another shape');
  return values.map((value) => unpacked(value, format));
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isPacked(value: unknown, { columns, length, keptLength }: Format): value is Packed {
  if (!Array.isArray(value) || value.length !== length) return false;
  const [quota, user, token, isTokenLimited, channel, record, kept = null, budgets = []] = value as unknown[];
  if (![quota, user, token, channel].every(isCount) || typeof isTokenLimited !== 'boolean') return false;
  if (!Array.isArray(budgets) || !budgets.every(isCount)) return false;
  return (record === null || isRecord(record, columns)) && (kept === null || isKept(kept, keptLength));
}

function isKept(value: unknown, length: number): value is PackedKept {
  if (!Array.isArray(value) || value.length !== length) return false;
  const [id, tokens, attachedTokens, itemTokens = 0, items = [], key = 0] = value as unknown[];
  if (typeof id !== 'string' || ![tokens, attachedTokens, itemTokens, key].every(isCount)) return false;
  return Array.isArray(items) && items.every((item) => typeof item === 'string');
}

const isRecord = (value: unknown, columns: readonly string[]): boolean =>
  Array.isArray(value) &&
  value.length === columns.length &&
  columns.every((column, index) => (texts.has(column) ? typeof value[index] === 'string' : isCount(value[index])));

const unpackedKept = ([id, tokens, attachedTokens, itemTokens = 0, items = [], key = 0]: PackedKept) => ({
  id,
  key,
  tokens,
  attachedTokens,
  itemTokens,
  items,
});

const unpacked = (
  [quota, user, token, isTokenLimited, channel, record, kept, budgets = []]: Packed,
  { columns }: Format,
): Charge => ({
  quota,
  user,
  token,
  isTokenLimited,
  channel,
  budgets: budgets.length > 0 ? budgets : undefined,
  record: record ? consumption(logOf(columns, record)) : undefined,
  kept: kept ? { user, channel, ...unpackedKept(kept) } : undefined,
});

const enderByContent: ReadonlyMap<string, LogEnder> = new Map([
  ['The client left', 'client'],
  ['The quota is used up; the stream ends here', 'quota'],
]);

/**
 * A record of the first version as later ones write it: there a request that broke off was a failure, also when it cost
 * something.
 */
function consumption(record: ReturnType<typeof logOf>): ReturnType<typeof logOf> {
  if (record.type !== logType.failure || record.quota === 0) return record;
  return { ...record, type: logType.consumption, ended_by: enderByContent.get(record.content) ?? 'upstream' };
}

function holdingsOf(values: unknown): UnreadableEntry['holds'] {
  if (!Array.isArray(values)) return [];
  return values.flatMap((value: unknown) => {
    const [quota, user] = Array.isArray(value) ? (value as unknown[]) : [];
    return isCount(quota) && isCount(user) ? [{ user, quota }] : [];
  });
}
