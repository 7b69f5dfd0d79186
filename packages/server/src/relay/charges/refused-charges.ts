import type { Charge } from './charge.ts';

/** SQLite's error about constraints; the details are in the higher bits. */
const sqliteConstraint = 19;

/** The database will not have these values, ever: PostgreSQL has classes of errors about data and constraints. */
export function isRefused(error: unknown): boolean {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return /^2[23]/.test(String(code)) || (typeof errcode === 'number' && (errcode & 0xff) === sqliteConstraint);
}

/**
 * The words of a record can be missed, and what it cost the gateway. Its points cannot: what was consumed is what the
 * records add up to.
 */
export function withoutWords(charge: Charge): Charge {
  const { record } = charge;
  if (!record) return charge;
  const cost = Number.isSafeInteger(record.cost) ? record.cost : 0;
  return { ...charge, record: { ...record, content: '', model_name: '', detail: '', cost } };
}
