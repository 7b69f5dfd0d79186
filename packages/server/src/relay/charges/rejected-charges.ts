import type { Charge } from './charge.ts';

/** SQLite's constraint error; details are in the higher bits. */
const sqliteConstraint = 19;

/** True if the database permanently rejects the values: PostgreSQL has error classes for data and constraints. */
export function isPermanentlyRejected(error: unknown): boolean {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return /^2[23]/.test(String(code)) || (typeof errcode === 'number' && (errcode & 0xff) === sqliteConstraint);
}

/** Drops the texts and the upstream cost of a record. The points stay: consumption is the sum of the records. */
export function withoutTexts(charge: Charge): Charge {
  const { record } = charge;
  if (!record) return charge;
  const cost = Number.isSafeInteger(record.cost) ? record.cost : 0;
  return { ...charge, record: { ...record, content: '', model_name: '', detail: '', cost } };
}
