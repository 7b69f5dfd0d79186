import { type ChannelBulkChange, channelApi, channelBulkApi, channelStatus, logApi } from '@headgate/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createChannel,
  expectConsistentAbilities,
  storedChannel,
  storedChannels,
} from '../../testing/catalog/channel-fixtures.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');

type Body = Parameters<typeof admin.call<typeof channelBulkApi.run>>[1]['body'];
const run = (body: Body) => admin.call(channelBulkApi.run, { body });
const send = async (body: object) => (await admin.send(channelBulkApi.run, { body })).body;
const undo = (token: string) => admin.send(channelBulkApi.undo, { body: { undo: token } });

const make = (given: object = {}) =>
  createChannel(app, admin, { models: 'a,b', group: 'default,vip', priority: 1, ...given });
const logs = () => app.database.selectFrom('logs').select('content').where('type', '=', 3).orderBy('id').execute();

beforeEach(async () => {
  await app.database.deleteFrom('channels').execute();
  await app.database.deleteFrom('logs').execute();
});

describe('bulk edit of channels', () => {
  const changes: readonly (readonly [ChannelBulkChange, object])[] = [
    [{ kind: 'status', status: 2 }, { status: 2 }],
    [{ kind: 'priority', priority: -7 }, { priority: -7 }],
    [{ kind: 'priority', priority: null }, { priority: 0 }],
    [{ kind: 'weight', weight: 9 }, { weight: 9 }],
    [{ kind: 'group', how: 'replace', group: 'svip' }, { group: 'svip' }],
    [{ kind: 'group', how: 'add', group: 'svip,vip' }, { group: 'default,vip,svip' }],
    [{ kind: 'group', how: 'remove', group: 'vip,other' }, { group: 'default' }],
    [{ kind: 'models', how: 'add', models: 'c,a' }, { models: 'a,b,c' }],
    [{ kind: 'models', how: 'remove', models: 'a' }, { models: 'b' }],
    [{ kind: 'models', how: 'replace', models: 'z' }, { models: 'z' }],
    [{ kind: 'model_mapping', model_mapping: '{"a":"x"}' }, { model_mapping: '{"a":"x"}' }],
    [{ kind: 'system_prompt', system_prompt: 'Be brief.' }, { system_prompt: 'Be brief.' }],
    [{ kind: 'tag', tag: 'azure' }, { tag: 'azure' }],
  ];

  test.each(changes)('applies %j', async (change, expected) => {
    const [one, other, left] = [await make(), await make({ name: 'other' }), await make({ name: 'left' })];
    const report = await run({ chosen: { ids: [one.id, other.id] }, change });
    expect(report).toMatchObject({ changed: 2, unchanged: 0, failed: 0 });
    expect(await storedChannel(app, one.id)).toEqual({ ...one, ...expected });
    expect(await storedChannel(app, other.id)).toEqual({ ...other, ...expected });
    expect(await storedChannel(app, left.id)).toEqual(left);
    await expectConsistentAbilities(app);
  });

  test('logs one audit event with a list of changes, and an entry in the history of each channel', async () => {
    const [one, other] = [await make(), await make({ name: 'other' })];
    await run({ chosen: { ids: [one.id, other.id] }, change: { kind: 'priority', priority: 5 } });
    const audit = async (query: object) =>
      (await admin.call(logApi.list, { query: { ...query, view: 'audit' } })).filter(({ content }) =>
        content.includes('bulk'),
      );
    const [event, ...others] = await audit({});
    expect(others).toEqual([]);
    expect(event?.content).toMatch(/changed 2 channels in bulk$/);
    const { list } = JSON.parse(event?.detail ?? '') as { list: string[] };
    expect(list).toHaveLength(2);
    expect(list[1]).toMatch(/changed channel other .* in bulk: priority 1 → 5$/);
    expect((await audit({ channel: other.id })).map(({ content }) => content)).toEqual([list[1]]);
  });

  test('copies the selected settings of another channel and nothing else', async () => {
    const source = await make({
      name: 'source',
      models: 'm',
      group: 'vip',
      priority: 5,
      tag: 'eu',
      system_prompt: 'p',
    });
    const target = await make({ name: 'target' });
    const change: ChannelBulkChange = { kind: 'copy', from: source.id, settings: ['models', 'priority', 'tag'] };
    await run({ chosen: { ids: [target.id, source.id] }, change });
    expect(await storedChannel(app, target.id)).toEqual({ ...target, models: 'm', priority: 5, tag: 'eu' });
    expect(await storedChannel(app, source.id)).toEqual(source);
    await expectConsistentAbilities(app);
    expect(await send({ chosen: { ids: [target.id] }, change: { ...change, from: 999_999 } })).toEqual(
      apiFailure('Not found'),
    );
    expect(await send({ chosen: { ids: [target.id] }, change: { ...change, settings: ['key'] } })).toMatchObject({
      success: false,
    });
  });

  test('deletes channels with their index rows', async () => {
    const [one, other] = [await make(), await make()];
    const report = await run({ chosen: { ids: [one.id] }, change: { kind: 'delete' } });
    expect(report).toMatchObject({ changed: 1, undo: '' });
    expect(await storedChannels(app)).toEqual([other]);
    await expectConsistentAbilities(app);
    expect((await logs()).at(-1)?.content).toMatch(/deleted channel plain \(#\d+\)$/);
  });

  test('clears the disable reason when enabling, and undo restores it', async () => {
    const { id } = await make();
    const off = { status: channelStatus.disabledByMonitor, status_reason: 'no balance' };
    await app.database.updateTable('channels').set(off).where('id', '=', id).execute();
    const report = await run({ chosen: { ids: [id] }, change: { kind: 'status', status: 1 } });
    expect(await storedChannel(app, id)).toMatchObject({ status: 1, status_reason: '' });
    await undo(report.undo);
    expect(await storedChannel(app, id)).toMatchObject(off);
    await expectConsistentAbilities(app);
  });
});

describe('bulk edit results per row', () => {
  test('reports the reason when the row cannot be changed, and changes the others', async () => {
    const [fine, only, fitting] = [
      await make(),
      await make({ name: 'only', models: 'a' }),
      await make({ models: 'b' }),
    ];
    const report = await run({
      chosen: { ids: [fine.id, only.id, fitting.id, 999_999] },
      change: { kind: 'models', how: 'remove', models: 'a' },
    });
    expect(report).toMatchObject({ changed: 1, unchanged: 1, failed: 2 });
    expect(report.rows).toMatchObject([
      { id: fine.id, outcome: 'changed', changes: [{ field: 'models', removed: ['a'], added: [] }] },
      { id: only.id, name: 'only', outcome: 'failed', message: 'please select at least one model' },
      { id: fitting.id, outcome: 'unchanged' },
      { id: 999_999, outcome: 'failed', message: 'Not found' },
    ]);
    expect((await storedChannels(app)).map(({ models }) => models)).toEqual(['b', 'a', 'b']);
    await expectConsistentAbilities(app);
  });

  test('logs the old and new values of the row', async () => {
    const { id } = await make({ priority: 3 });
    await run({ chosen: { ids: [id] }, change: { kind: 'priority', priority: 8 } });
    await run({ chosen: { ids: [id] }, change: { kind: 'models', how: 'replace', models: 'b,c' } });
    expect((await logs()).slice(1).map(({ content }) => content.replace(/^\S+ /, ''))).toEqual([
      `changed channel plain (#${id}) in bulk: priority 3 → 8`,
      `changed channel plain (#${id}) in bulk: models +c −a`,
    ]);
  });
});

describe('bulk edit by filter', () => {
  test('applies to the channels that match when the edit runs', async () => {
    await make({ name: 'azure-1', type: 3, base_url: 'https://one.example.com', other: 'v1' });
    await make({ name: 'azure-2', type: 3, base_url: 'https://two.example.com', other: 'v1' });
    await make({ name: 'open' });
    const report = await run({ chosen: { filter: { type: 3 }, count: 2 }, change: { kind: 'priority', priority: 5 } });
    expect(report.rows.map(({ name }) => name)).toEqual(['azure-1', 'azure-2']);
    expect((await storedChannels(app)).map(({ priority }) => priority)).toEqual([5, 5, 1]);
  });

  test.each([{ keyword: 'nee' }, { tag: 'eu' }, { model: 'only' }, { group: 'vips' }, { status: 2 }])(
    'selects by %j',
    async (filter) => {
      const wanted = await make({ name: 'needle', tag: 'eu', models: 'only,a', group: 'vips' });
      await admin.call(channelApi.update, { body: { id: wanted.id, status: 2 } });
      await make({ name: 'hay', tag: 'eu2', models: 'only-not,a', group: 'vip' });
      const found = await admin.call(channelApi.search, { query: filter });
      expect(found.map(({ id }) => id)).toEqual([wanted.id]);
      const report = await run({ chosen: { filter, count: 1 }, change: { kind: 'weight', weight: 4 } });
      expect(report.rows.map(({ id }) => id)).toEqual([wanted.id]);
    },
  );

  test('the tag filter lists the tags in use with their channel counts', async () => {
    for (const tag of ['eu', 'us', 'eu', '']) await make({ tag });
    const off = await make({ tag: 'eu' });
    await admin.call(channelApi.update, { body: { id: off.id, status: 2 } });
    expect(await admin.call(channelApi.tags)).toEqual([
      { tag: 'eu', count: 3, enabled: 2 },
      { tag: 'us', count: 1, enabled: 1 },
    ]);
  });

  test('rejects an edit when the number of matches differs from the caller’s', async () => {
    await make();
    const body = { chosen: { filter: {}, count: 2 }, change: { kind: 'priority', priority: 5 } };
    expect(await send(body)).toEqual(apiFailure('1 instead of 2 rows match now. Nothing was changed'));
    expect((await storedChannels(app)).map(({ priority }) => priority)).toEqual([1]);
  });
});

describe('bulk edit preview', () => {
  test('a preview shows the changes of each channel and writes nothing', async () => {
    const before = await make({ priority: 1 });
    const logged = await logs();
    const report = await run({
      chosen: { ids: [before.id] },
      change: { kind: 'priority', priority: 2 },
      preview: true,
    });
    expect(report).toMatchObject({
      changed: 1,
      undo: '',
      rows: [{ id: before.id, outcome: 'changed', changes: [{ field: 'priority', before: '1', after: '2' }] }],
    });
    expect(await storedChannel(app, before.id)).toEqual(before);
    expect(await logs()).toEqual(logged);
  });

  test('rejects the run when its result would differ from the preview', async () => {
    const [one, other] = [await make(), await make()];
    const order: Body = {
      chosen: { ids: [one.id, other.id] },
      change: { kind: 'models', how: 'add', models: 'c' },
    };
    const { digest } = await run({ ...order, preview: true });
    await admin.call(channelApi.update, { body: { id: other.id, models: 'a,b,c' } });
    expect(await send({ ...order, digest })).toEqual(apiFailure(/^The data has changed since the preview/));
    expect(await storedChannel(app, one.id)).toEqual(one);
    const again = await run({ ...order, preview: true });
    expect(await run({ ...order, digest: again.digest })).toMatchObject({ changed: 1, unchanged: 1 });
  });
});

describe('bulk edit undo', () => {
  test('undo restores every channel’s previous values, once', async () => {
    const [one, other] = [await make({ models: 'a' }), await make({ models: 'b', group: 'vip' })];
    const ids = [one.id, other.id];
    const { undo: token } = await run({ chosen: { ids }, change: { kind: 'models', how: 'add', models: 'c' } });
    const { body } = await undo(token);
    expect(body).toMatchObject({ success: true, data: { changed: 2, undo: '' } });
    expect(await storedChannels(app)).toEqual([one, other]);
    await expectConsistentAbilities(app);
    expect((await undo(token)).body).toEqual(apiFailure(/^This can no longer be undone/));
    expect((await logs()).at(-1)?.content).toMatch(/undid a bulk change of channel plain \(#\d+\): models −c$/);
  });

  test('undo is rejected as a whole if one channel has changed since, and can be retried', async () => {
    const [one, other] = [await make(), await make({ name: 'touched' })];
    const ids = [one.id, other.id];
    const { undo: token } = await run({ chosen: { ids }, change: { kind: 'priority', priority: 5 } });
    await admin.call(channelApi.update, { body: { id: other.id, priority: 6 } });
    expect((await undo(token)).body).toEqual(
      apiFailure('Not undone: some rows have changed since (1), including touched'),
    );
    expect((await storedChannels(app)).map(({ priority }) => priority)).toEqual([5, 6]);
    await admin.call(channelApi.update, { body: { id: other.id, priority: 5, weight: 3 } });
    expect((await undo(token)).body).toMatchObject({ success: true });
    expect((await storedChannels(app)).map(({ priority, weight }) => [priority, weight])).toEqual([
      [1, 0],
      [1, 3],
    ]);
  });

  test('undo is rejected if one channel was deleted, or after a day', async () => {
    const { id } = await make();
    const gone = await run({ chosen: { ids: [id] }, change: { kind: 'priority', priority: 5 } });
    await admin.call(channelApi.remove, { params: { id } });
    expect((await undo(gone.undo)).body).toEqual(
      apiFailure(`Not undone: some rows have changed since (1), including #${id}`),
    );
    const other = await make();
    const old = await run({ chosen: { ids: [other.id] }, change: { kind: 'priority', priority: 5 } });
    await app.database.updateTable('bulk_runs').set({ created_time: 1 }).where('id', '=', old.undo).execute();
    expect((await undo(old.undo)).body).toEqual(apiFailure(/^This can no longer be undone/));
  });
});
