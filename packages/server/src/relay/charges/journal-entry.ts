import { parseJson } from '@headgate/dialects';
import { logColumns, logFromValues, logValues } from '../../records/logs/log-values.ts';
import type { Charge } from './charge-writer.ts';

/** A batch of charges as stored in the journal. */
export interface JournalEntry {
  readonly id: number;
  readonly version: number;
  readonly charges: string;
}

/** Description of an entry that cannot be read. */
export interface UnreadableEntry {
  readonly entry: JournalEntry;
  readonly reason: string;
  /** Points per user that the entry appears to contain. */
  readonly holds: readonly { readonly user: number; readonly quota: number }[];
}

type Packed = readonly [
  quota: number,
  user: number,
  token: number,
  isTokenLimited: boolean,
  channel: number,
  record: readonly unknown[] | null,
  kept: PackedResponse | null,
  budgets: readonly number[],
  isPaidByPlan: boolean,
];

type PackedResponse = readonly [
  id: string,
  tokens: number,
  attachedTokens: number,
  itemTokens: number,
  items: readonly string[],
  key: number,
];

/** Incremented when the log columns or the fields of a charge change. Entries since 1.0 stay readable. */
const currentVersion = 2;
const readableVersions: readonly number[] = [1, currentVersion];

const chargeLength = 9;
/** Length in version 1, without plans. */
const oldChargeLength = 8;
const packedResponseLength = 6;

const texts: ReadonlySet<string> = new Set<(typeof logColumns)[number]>([
  ...(['content', 'username', 'token_name', 'model_name', 'request_id', 'detail', 'ended_by'] as const),
  ...(['group', 'reason', 'node'] as const),
]);

export const toJournalEntry = (id: number, charges: readonly Charge[]): JournalEntry => ({
  id,
  version: currentVersion,
  charges: JSON.stringify(charges.map(packed)),
});

/** Arrays instead of objects, because field names would be half of the text. */
const packed = ({
  quota,
  user,
  token,
  isTokenLimited,
  channel,
  record,
  kept,
  budgets = [],
  isPaidByPlan = false,
}: Charge): Packed => [
  quota,
  user,
  token,
  isTokenLimited,
  channel,
  record ? logValues(record) : null,
  kept ? [kept.id, kept.tokens, kept.attachedTokens, kept.itemTokens, kept.items, kept.key] : null,
  budgets,
  isPaidByPlan,
];

/** The charges of an entry, or the reason why it cannot be read and its apparent contents. */
export function parseJournalEntry(entry: JournalEntry): readonly Charge[] | UnreadableEntry {
  const values = parseJson(entry.charges);
  const unreadable = (reason: string): UnreadableEntry => ({ entry, reason, holds: pointsPerUser(values) });
  if (!readableVersions.includes(entry.version)) return unreadable(`unknown version ${entry.version}`);
  if (values === undefined) return unreadable('not valid JSON');
  if (!Array.isArray(values)) return unreadable('not a list of charges');
  if (!values.every(isPacked)) return unreadable('a charge has an invalid shape');
  return values.map(unpacked);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isPacked(value: unknown): value is Packed {
  if (!Array.isArray(value) || (value.length !== chargeLength && value.length !== oldChargeLength)) return false;
  const [quota, user, token, isTokenLimited, channel, record, kept, budgets, isPaidByPlan = false] = value as unknown[];
  if (![quota, user, token, channel].every(isCount) || typeof isTokenLimited !== 'boolean') return false;
  if (typeof isPaidByPlan !== 'boolean') return false;
  if (!Array.isArray(budgets) || !budgets.every(isCount)) return false;
  return (record === null || isRecord(record)) && (kept === null || isPackedResponse(kept));
}

function isPackedResponse(value: unknown): value is PackedResponse {
  if (!Array.isArray(value) || value.length !== packedResponseLength) return false;
  const [id, tokens, attachedTokens, itemTokens, items, key] = value as unknown[];
  if (typeof id !== 'string' || ![tokens, attachedTokens, itemTokens, key].every(isCount)) return false;
  return Array.isArray(items) && items.every((item) => typeof item === 'string');
}

const isRecord = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length === logColumns.length &&
  logColumns.every((column, index) => (texts.has(column) ? typeof value[index] === 'string' : isCount(value[index])));

const unpackResponse = ([id, tokens, attachedTokens, itemTokens, items, key]: PackedResponse) => ({
  id,
  key,
  tokens,
  attachedTokens,
  itemTokens,
  items,
});

const unpacked = ([
  quota,
  user,
  token,
  isTokenLimited,
  channel,
  record,
  kept,
  budgets,
  isPaidByPlan,
]: Packed): Charge => ({
  quota,
  user,
  token,
  isTokenLimited,
  channel,
  budgets: budgets.length > 0 ? budgets : undefined,
  isPaidByPlan: isPaidByPlan || undefined,
  record: record ? logFromValues(record) : undefined,
  kept: kept ? { user, channel, ...unpackResponse(kept) } : undefined,
});

function pointsPerUser(values: unknown): UnreadableEntry['holds'] {
  if (!Array.isArray(values)) return [];
  return values.flatMap((value: unknown) => {
    const [quota, user] = Array.isArray(value) ? (value as unknown[]) : [];
    return isCount(quota) && isCount(user) ? [{ user, quota }] : [];
  });
}
