import { channelApi, channelExportApi, channelKeyApi, channelStatus } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const lines: string[] = [];
const app = await useTestApp({ onLine: (line) => lines.push(line) });
const scene = await relayFixture(app, { upstreams: [completion(), completion()] });
afterAll(() => scene.close());
const { admin, group } = scene;
const [preferred, other] = scene.upstreams;
const all = await admin.call(channelApi.list, { query: { group } });
const { id } = all.find(({ base_url }) => base_url === preferred?.url) ?? { id: 0 };
const params = { id };

const corrupt = (columns: object) => app.database.updateTable('channels').set(columns).where('id', '=', id).execute();
const stored = await app.database.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const { key_sealed, config_sealed, rules, model_mapping } = stored;
const intact = { key_sealed, config_sealed, rules, model_mapping };
const readable = { ...intact, config_sealed: key_sealed };
let added = 0;

/** Loads the channels again. */
async function reload(): Promise<void> {
  added += 1;
  await createChannel(admin, group, other?.url ?? '', {
    name: `added${added}`,
    models: `added-${added}`,
    priority: -1,
  });
}

describe('a channel whose stored data cannot be read', () => {
  it.each([
    ['key', { key_sealed: 'v1:AAAA' }],
    ['key of an unknown format', { key_sealed: '{' }],
    ['config', { config_sealed: 'v1:AAAA' }],
    ['config that is not JSON', readable],
    ['rules', { rules: 'v1:AAAA' }],
    ['rules that are not valid', { rules: key_sealed }],
    ['model mapping', { model_mapping: '{' }],
    ['model mapping that is no object of names', { model_mapping: '[1]' }],
    ['model mapping of null', { model_mapping: 'null' }],
  ])('[A77.1] is not used, and is listed with all others: %s', async (_, columns) => {
    await corrupt({ ...intact, ...columns });
    const before = preferred?.received.length;
    await reload();
    expect((await scene.chat({ model: `added-${added}` })).status).toBe(200);
    expect((await scene.chat()).status).toBe(200);
    expect(preferred?.received).toHaveLength(before ?? 0);
    expect((await admin.call(channelApi.list, { query: { group, size: 100 } })).map((row) => row.id)).toContain(id);
    expect(await admin.call(channelApi.get, { params })).toMatchObject({ key: '', name: group });
    await admin.call(channelKeyApi.list, { params });
    for (const endpoint of [channelApi.test, channelApi.updateBalance]) {
      const { status, headers } = await admin.send(endpoint, { params });
      expect([status, headers.get('x-error-code')]).toEqual([409, 'channelUnreadable']);
    }
    expect(lines.filter((line) => line.includes('cannot be read and is not used'))).toHaveLength(1);
  });

  it('[A77.1] is exported without the unreadable rules', async () => {
    await corrupt({ ...intact, rules: 'v1:AAAA' });
    const { status, text } = await admin.send(channelExportApi.all, { query: { format: 'csv' } });
    expect(status).toBe(200);
    expect(text).toContain(`\r\n${id},`);
  });

  it('[A77.1] is used again after the field was entered', async () => {
    await corrupt({ ...intact, key_sealed: 'v1:AAAA' });
    await reload();
    const { body } = await admin.send(channelApi.update, { body: { id, weight: 3 } });
    expect(body).toMatchObject({ success: false });
    await admin.call(channelApi.update, { body: { id, key: 'sk-entered-again', status: channelStatus.enabled } });
    const before = preferred?.received.length ?? 0;
    expect((await scene.chat()).status).toBe(200);
    expect(preferred?.received).toHaveLength(before + 1);
  });

  it('[A77.1] is skipped if only one of its keys cannot be read, and keeps its other keys', async () => {
    await admin.call(channelKeyApi.add, { params, body: { keys: 'sk-second-key-123456' } });
    const [first] = await admin.call(channelKeyApi.list, { params });
    const damaged = app.database.updateTable('channel_keys').set({ key_sealed: 'v1:AAAA' });
    await damaged.where('id', '=', first?.id ?? 0).execute();
    await reload();
    const before = preferred?.received.length ?? 0;
    for (let index = 0; index < 2; index += 1) expect((await scene.chat()).status).toBe(200);
    const keys = preferred?.received.slice(before).map(({ headers }) => headers['authorization']);
    expect(keys).toEqual(['Bearer sk-second-key-123456', 'Bearer sk-second-key-123456']);
    expect(await admin.call(channelKeyApi.list, { params })).toMatchObject([{ hint: '' }, { hint: '3456' }]);
    await admin.call(channelApi.remove, { params });
  });
});
