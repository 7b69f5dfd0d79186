import { neverExpires, type TokenBulkChange, tokenApi, tokenBulkApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);
const soon = nowInSeconds() + 86_400;

async function owner(...names: string[]) {
  const { client } = await signedInUser();
  for (const name of names) await client.call(tokenApi.create, { body: { name, remain_quota: 10 } });
  const tokens = async () =>
    (await client.call(tokenApi.list, { query: {} })).toSorted((one, other) => one.id - other.id);
  const ids = (await tokens()).map(({ id }) => id);
  const run = (change: TokenBulkChange, chosen = ids) =>
    client.call(tokenBulkApi.run, { body: { chosen: { ids: chosen }, change } });
  return { client, tokens, ids, run };
}

describe("bulk edit of a user's own tokens", () => {
  const changes: readonly (readonly [TokenBulkChange, object])[] = [
    [{ kind: 'status', status: 2 }, { status: 2 }],
    [{ kind: 'expiry', expired_time: soon }, { expired_time: soon }],
    [
      { kind: 'quota', remain_quota: 700 },
      { remain_quota: 700, unlimited_quota: false },
    ],
    [{ kind: 'quota', remain_quota: null }, { unlimited_quota: true }],
    [{ kind: 'models', models: 'gpt-4o,gpt-5' }, { models: 'gpt-4o,gpt-5' }],
  ];
  test.each(changes)('applies and undoes %j', async (change, expected) => {
    const { client, tokens, run } = await owner('a', 'b');
    const before = await tokens();
    const report = await run(change);
    expect(report).toMatchObject({ changed: 2, failed: 0 });
    expect(await tokens()).toEqual(before.map((token) => ({ ...token, ...expected })));
    await client.call(tokenBulkApi.undo, { body: { undo: report.undo } });
    expect(await tokens()).toEqual(before);
  });

  test('deletes the selected tokens', async () => {
    const { tokens, run, ids } = await owner('a', 'b', 'c');
    expect(await run({ kind: 'delete' }, ids.slice(0, 2))).toMatchObject({ changed: 2, undo: '' });
    expect((await tokens()).map(({ name }) => name)).toEqual(['c']);
  });

  test('reports tokens that cannot be enabled and enables the rest', async () => {
    const { tokens, run, ids } = await owner('good', 'late', 'empty');
    await run({ kind: 'status', status: 2 });
    const set = (id: number | undefined, change: object) =>
      app.database.updateTable('tokens').set(change).where('id', '=', Number(id)).execute();
    await set(ids[1], { expired_time: 1 });
    await set(ids[2], { remain_quota: 0 });
    const report = await run({ kind: 'status', status: 1 });
    expect(report.rows).toMatchObject([
      { name: 'good', outcome: 'changed' },
      { name: 'late', outcome: 'failed', message: expect.stringContaining('has expired') },
      { name: 'empty', outcome: 'failed', message: expect.stringContaining('is used up') },
    ]);
    expect((await tokens()).map(({ status }) => status)).toEqual([1, 2, 2]);
  });

  test('rejects an expiry in the past', async () => {
    const { run } = await owner('a');
    expect(await run({ kind: 'expiry', expired_time: 5 })).toMatchObject({ changed: 0, failed: 1 });
    expect(await run({ kind: 'expiry', expired_time: neverExpires })).toMatchObject({ unchanged: 1 });
  });

  test('cannot change another user’s tokens or undo changes to them', async () => {
    const [mine, theirs] = [await owner('mine'), await owner('theirs')];
    const report = await mine.run({ kind: 'status', status: 2 }, theirs.ids);
    expect(report).toMatchObject({ changed: 0, failed: 1 });
    expect((await theirs.tokens()).map(({ status }) => status)).toEqual([1]);
    const own = await theirs.run({ kind: 'status', status: 2 });
    const { body } = await mine.client.send(tokenBulkApi.undo, { body: { undo: own.undo } });
    expect(body).toEqual(apiFailure(/^This can no longer be undone/));
    expect((await theirs.tokens()).map(({ status }) => status)).toEqual([2]);
  });

  test('[A26.3] keeps at most the last two runs for undo', async () => {
    const { client, run, tokens } = await owner('a', 'b');
    const [first] = await tokens();
    const undos: string[] = [];
    for (const models of ['m', 'n', 'o', 'p', 'q']) undos.push((await run({ kind: 'models', models })).undo);
    const kept = await app.database
      .selectFrom('bulk_runs')
      .select('id')
      .where('subject', '=', `token of ${first?.user_id}`)
      .execute();
    expect(kept).toHaveLength(2);
    expect(kept).toContainEqual({ id: undos.at(-1) });
    await client.call(tokenBulkApi.undo, { body: { undo: undos.at(-1) ?? '' } });
    expect((await tokens()).map(({ models }) => models)).toEqual(['p', 'p']);
  });

  test('applies to all tokens that match a name and status filter', async () => {
    const { client, run, ids, tokens } = await owner('work-a', 'work-b', 'home');
    await run({ kind: 'status', status: 2 }, ids.slice(0, 1));
    const chosen = { filter: { keyword: 'work', status: 1 }, count: 1 };
    await client.call(tokenBulkApi.run, { body: { chosen, change: { kind: 'models', models: 'm' } } });
    expect((await tokens()).map(({ models }) => models)).toEqual(['', 'm', '']);
  });
});
