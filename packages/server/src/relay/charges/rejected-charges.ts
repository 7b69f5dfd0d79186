import type { Charge } from './charge.ts';

/** SQLite's primary error code for constraints; the higher bits hold details. */
const sqliteConstraint = 19;

/**
 * True if the database permanently rejects the values: an error of PostgreSQL's data or constraint classes, or a
 * SQLite constraint error.
 */
export function isPermanentlyRejected(error: unknown): boolean {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return /^2[23]/.test(String(code)) || (typeof errcode === 'number' && (errcode & 0xff) === sqliteConstraint);
}

/**
 * Drops the texts and the upstream cost of a record. Keeps the points, because total consumption is the sum of the
 * records.
 */
export function withoutTexts(charge: Charge): Charge {
  const { record } = charge;
  if (!record) return charge;
  const cost = Number.isSafeInteger(record.cost) ? record.cost : 0;
  return { ...charge, record: { ...record, content: '', model_name: '', detail: '', cost } };
}
