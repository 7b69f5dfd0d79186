import { type Log, logApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { useTestApp } from '../../testing/test-app.ts';
import type { NewLog } from './log-repository.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const reader = await app.createUser();
const own = await app.signedIn(reader.username, reader.password);
const mine = { user_id: reader.id, username: reader.username };

const texts = ['Größe 100%', 'a_b', 'axb', 'back\\slash', '日本語', 'type 3 of old', "it's"];
const older: Partial<NewLog>[] = [
  ...texts.map((content, index) => ({ content, type: 2, created_at: sampleHour + index })),
  { content: 'elsewhere', type: 3, created_at: sampleHour + 100 },
  { ...mine, content: 'mine, elsewhere', type: 3, created_at: sampleHour + 101 },
  { ...mine, content: 'mine', type: 1, created_at: sampleHour + 102 },
];

beforeAll(() => writeLogs(app.database, older));

const contents = (rows: readonly Log[]) => rows.map(({ content }) => content);
const search = async (client: ApiClient, keyword: string) =>
  contents(await client.call(client === own ? logApi.searchOwn : logApi.search, { query: { keyword } }));

describe('[A26.1] log search', () => {
  test.each([
    ['part of the content', 'öß', ['Größe 100%']],
    ['letters that differ in more than case', 'GRÖSSE', []],
    ['the same letters in another case', 'GRÖßE', ['Größe 100%']],
    ['a percent sign', '0%', ['Größe 100%']],
    ['an underscore', 'a_b', ['a_b']],
    ['a backslash', '\\', ['back\\slash']],
    ['a quote', "'", ["it's"]],
    ['text in another script', '本', ['日本語']],
    ['a number that is a type and part of the content', '3', ['mine, elsewhere', 'elsewhere', 'type 3 of old']],
    ['a type', '1', ['mine', 'Größe 100%']],
    ['a text in no log', 'absent', []],
    ['a number that is not a type', '100', ['Größe 100%']],
    ['a very large number', '9'.repeat(300), []],
  ])('finds logs by %s', async (_, keyword, found) => {
    expect(await search(admin, keyword)).toEqual(found);
  });

  test('finds all logs, newest first, with an empty keyword', async () => {
    expect(await search(admin, '')).toEqual(older.map(({ content }) => content).reverse());
  });

  test("finds only the user's own logs in their search", async () => {
    expect(await search(own, '3')).toEqual(['mine, elsewhere']);
    expect(await search(own, 'else')).toEqual(['mine, elsewhere']);
    expect(await search(own, '')).toEqual(['mine', 'mine, elsewhere']);
    expect(await search(own, 'Größe')).toEqual([]);
  });

  test('rejects a keyword that is too long', async () => {
    const { status } = await admin.send(logApi.search, { query: { keyword: 'x'.repeat(301) } });
    expect(status).toBe(400);
  });
});

describe('log search in many logs', () => {
  beforeAll(async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      content: index % 100 === 0 ? `needle ${index}` : 'hay',
      created_at: sampleHour + 3600 + index,
    }));
    await writeLogs(app.database, many);
  });

  test('returns the newest 100 matches', async () => {
    const found = await search(admin, 'NEEDLE');
    expect(found).toHaveLength(100);
    expect(found[0]).toBe('needle 19900');
    expect(found[99]).toBe('needle 10000');
  });

  test('[A26.2] searches text in the newest 20,000 logs and types in all logs', async () => {
    expect(await search(admin, 'needle 0')).toEqual(['needle 0']);
    expect(await search(admin, 'Größe')).toEqual([]);
    expect(await search(admin, '3')).toContain('mine, elsewhere');
  });

  test("searches text in the user's newest 20,000 logs", async () => {
    expect(await search(own, 'mine')).toEqual(['mine', 'mine, elsewhere']);
  });
});
