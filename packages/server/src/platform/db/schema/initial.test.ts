import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { changeTables, ownerView } from './changes.ts';
import { initialStatements } from './initial.ts';
import { monthPartitions } from './month-partitions.ts';

/** Without comments and line breaks, which may change. */
const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\n').replace(/--.*$/gm, '').replace(/\s+/g, ' ')).digest('hex');

const fixedTime = Date.UTC(2026, 10, 18) / 1000;

it.each([
  ['SQLite', initialStatements.sqlite, 'c754c4c9345dde555837ef331c3d4625f5919bd2933a4b8fd226980f4cf958d6'],
  [
    'PostgreSQL',
    [...initialStatements.postgres, monthPartitions(fixedTime), changeTables, ownerView('user', ['id', 'quota'])],
    'c4b44e2fb238ad995ec1edd0e6be6d8dc716222905b59510492e3115ad99001d',
  ],
])('the schema of 1.0 on %s never changes: add a migration instead', (_, texts, digest) => {
  expect(digestOf(texts)).toBe(digest);
});
