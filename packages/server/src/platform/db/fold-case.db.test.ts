import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { containsText } from './paging.ts';

const testDatabase = await createTestDatabase();
const database = await openDatabase(testDatabase.location);
await migrate(database);
afterAll(async () => {
  await database.destroy();
  await testDatabase.drop();
});

const folded = async (text: string | null) => {
  const { rows } = await sql<{ text: string | null }>`select fold_case(cast(${text} as text)) as text`.execute(
    database,
  );
  return rows[0]?.text;
};

describe('case folding of every script, regardless of the database locale', () => {
  test.each([
    ['ÄÖÜ', 'äöü'],
    ['ПРИВЕТ', 'привет'],
    ['ÉÀÑ Ω', 'éàñ ω'],
    ['plain ASCII', 'plain ascii'],
    ['张三 🙂', '张三 🙂'],
    ['', ''],
  ])('lower-cases %j', async (text, small) => {
    expect(await folded(text)).toBe(small);
  });

  test('lower-cases null to null', async () => {
    expect(await folded(null)).toBeNull();
  });
});

test.each([
  ['ÄÖ', 'xäöx', true],
  ['äö', 'XÄÖX', true],
  ['50%', '50% off', true],
  ['50%', '500 off', false],
  ['a_b', 'A_B', true],
  ['a_b', 'acb', false],
  ['\\', 'back\\slash', true],
  ['\\', 'slash', false],
])('a search for %j in %j matches: %s', async (keyword, text, expected) => {
  await database.deleteFrom('options').execute();
  await database.insertInto('options').values({ key: 'text', value: text }).execute();
  const query = database.selectFrom('options').select('key');
  const found = await query.where((where) => containsText(where, 'value', keyword)).execute();
  expect(found).toHaveLength(expected ? 1 : 0);
});

test('locks a row for the rest of a transaction', async () => {
  const rows = await database
    .transaction()
    .execute((connection) => connection.selectFrom('options').selectAll().forUpdate().execute());
  expect(rows).toHaveLength(1);
});
