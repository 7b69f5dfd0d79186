import { channelApi, channelExportApi, logEvents, logType } from '@headgate/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { createChannel, storedChannel, storedChannels } from '../../testing/catalog/channel-fixtures.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const marker = 'MARKER7f3a';
const key = `sk-${marker}-key`;
const config = JSON.stringify({ region: 'r', ak: 'ak', sk: `${marker}-sk`, vertex_ai_adc: `{"k":"${marker}"}` });

const rules = `[{"name":"r","then":[{"do":"set_header","header":"x-gateway-token","value":"${marker}-header"}]}]`;

const seen: string[] = [];
const app = await useTestApp({
  extend: (instance) =>
    instance.addHook('onSend', async (_, reply, payload) => {
      seen.push(JSON.stringify(reply.getHeaders()), String(payload));
      return payload;
    }),
});
const { username, password } = await app.createUser({ role: 10, username: 'keeper' });
const admin = await app.signedIn(username, password);

const logs = () => app.database.selectFrom('logs').selectAll().orderBy('id').execute();

/** All strings in all tables. */
async function everythingStored(): Promise<string> {
  const tables = ['channels', 'abilities', 'logs', 'site_hours', 'usage_hours', 'meta', 'options'] as const;
  const rows = await Promise.all(tables.map((table) => sql`select * from ${sql.table(table)}`.execute(app.database)));
  return JSON.stringify(rows.map((result) => result.rows));
}

describe('[A29.1 A71.5] channel keys, config secrets and credentials in rules', () => {
  test('channel keys, config secrets and credentials in rules appear in no response, log entry or column of any endpoint', async () => {
    const given = { key, config, rules, name: 'sealed', models: 'a,b' };
    const { id } = await createChannel(app, admin, given);
    await createChannel(app, admin, {
      ...given,
      type: 42,
      key: '',
      config: JSON.stringify({ ...JSON.parse(config), vertex_ai_project_id: 'p' }),
    });
    await createChannel(app, admin, { ...given, type: 33, key: '' });
    await createChannel(app, admin, { ...given, key: `${key}-1\n${key}-2` });
    await admin.send(channelApi.create, { body: { ...given, type: 999 } });
    const params = { id };
    await admin.call(channelApi.list, { query: { size: 100 } });
    expect(await admin.call(channelApi.search, { query: { keyword: key } })).toHaveLength(1);
    await admin.call(channelApi.get, { params });
    await admin.call(channelApi.update, { body: { id, name: 'renamed' } });
    await admin.call(channelApi.update, { body: { id, rules: rules.replace('-header', '-other') } });
    for (const format of ['csv', 'json'] as const) await admin.send(channelExportApi.all, { query: { format } });
    await admin.call(channelApi.update, { body: { id, key: `${key}-new`, config } });
    await admin.call(channelApi.update, { body: { id, type: 14, key, rules, config: '{"region":"other"}' } });
    await admin.send(channelApi.test, { params });
    await admin.send(channelApi.updateBalance, { params });
    await admin.call(channelApi.remove, { params });
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter((text) => text.includes(marker))).toEqual([]);
    expect(await everythingStored()).not.toContain(marker);
    expect((await logs()).length).toBeGreaterThan(6);
  });

  test('channel keys and config secrets appear in no error message', async () => {
    const { id } = await createChannel(app, admin);
    const wrong: object[] = [
      { key: `${key}\u0001`, name: 'x', models: 'm' },
      { key: [key], name: 'x', models: 'm' },
      { key: { key }, name: 'x', models: 'm' },
      { key, name: '', models: 'm' },
      { key, name: 'x', models: '' },
      { key, name: 'x', models: 'm', type: key },
      { key, name: 'x', models: 'm', config: `{"sk":"${marker}"` },
      { key, name: 'x', models: 'm', config: `{"sk":"${marker}\\n."}` },
      { key, name: 'x', models: 'm', config: `{"sk":["${marker}"]}` },
      { key, name: 'x', models: 'm', base_url: `https://${marker}@example.com` },
      { key, name: 'x', models: 'm', model_mapping: marker },
      { key: `${key}\n`.repeat(501), name: 'x', models: 'm' },
    ];
    const count = (await storedChannels(app)).length;
    for (const body of wrong) {
      for (const row of [channelApi.create, channelApi.update]) {
        const response = await admin.send(row, { body: { ...body, id } });
        expect(response.body).toMatchObject({ success: false });
        expect(response.text).not.toContain(marker);
      }
    }
    await admin.send(channelApi.create, {
      rawBody: `{"key":"${key}"`,
      headers: { 'content-type': 'application/json' },
    });
    await admin.send(channelApi.get, { params: { id: key } });
    expect(await storedChannels(app)).toHaveLength(count);
    expect(seen.filter((text) => text.includes(marker))).toEqual([]);
    expect(await everythingStored()).not.toContain(marker);
  });

  test('channel keys and config secrets are encrypted again only if they change', async () => {
    const one = await createChannel(app, admin, { key, config });
    const other = await createChannel(app, admin, { key, config });
    expect(one.key_sealed).toMatch(/^v1:/);
    expect(one.key_sealed).not.toBe(other.key_sealed);
    expect(one.config_sealed).not.toBe(other.config_sealed);
    expect(one.key_fingerprint).toBe(other.key_fingerprint);
    await admin.call(channelApi.update, { body: { id: one.id, key, config, name: 'x' } });
    expect(await storedChannel(app, one.id)).toEqual({ ...one, name: 'x' });
  });

  test('channel keys and config secrets are blank in the returned config, unlike other settings', async () => {
    const { id } = await createChannel(app, admin, { config });
    const shown = await admin.call(channelApi.get, { params: { id } });
    expect(JSON.parse(shown.config)).toEqual({ region: 'r', ak: 'ak', sk: '', vertex_ai_adc: '' });
    expect((await admin.call(channelApi.list, { query: {} }))[0]).toEqual(shown);
  });
});

describe('audit log', () => {
  test('the log names the admin who created, changed or deleted a channel, with old and new values except for secrets', async () => {
    await using other = await startTestApp();
    const keeper = await other.createUser({ role: 10, username: 'keeper' });
    const client = await other.signedIn(keeper.username, keeper.password);
    await client.call(channelApi.create, { body: { name: 'two', key: 'sk-a\nsk-b', models: 'm' } });
    await client.call(channelApi.update, {
      body: { id: 1, key: 'sk-c', models: 'n', priority: 0, config: '{"sk":"x"}', status: 2 },
    });
    await client.call(channelApi.update, { body: { id: 1, models: 'n' } });
    await client.send(channelApi.update, { body: { id: 1, models: '' } });
    await client.call(channelApi.removeDisabled);
    await client.call(channelApi.removeDisabled);
    await client.call(channelApi.remove, { params: { id: 2 } });
    await client.send(channelApi.remove, { params: { id: 2 } });
    const rows = await other.database.selectFrom('logs').selectAll().orderBy('id').execute();
    expect(rows.map(({ content }) => content)).toEqual([
      'keeper created channel two 1 (#1)',
      'keeper created channel two 2 (#2)',
      'keeper changed channel two 1 (#1): key; models +n −m; config; status 1 → 2',
      'keeper deleted 1 disabled channel',
      'keeper deleted channel two 2 (#2)',
    ]);
    for (const row of rows)
      expect(row).toMatchObject({ type: logType.management, user_id: keeper.id, username: 'keeper' });
    expect(rows.map(({ detail }) => JSON.parse(detail).event).every((event) => event in logEvents)).toBe(true);
  });
});
