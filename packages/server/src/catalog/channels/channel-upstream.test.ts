import { channelApi } from '@headgate/contract';
import { reply, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const upstream = await StubUpstream.start();
afterAll(() => upstream.close());

async function channelOf(type: number, key = 'their-key-123456'): Promise<number> {
  const name = `of-${type}-${Math.random()}`;
  await admin.call(channelApi.create, { body: { name, type, key, base_url: upstream.url, models: 'm', group: 'g' } });
  const [row] = await admin.call(channelApi.search, { query: { keyword: name } });
  return row?.id ?? 0;
}

describe('provider balance', () => {
  test('[S7.45] fetches the balance from the provider, returns it and stores it', async () => {
    const id = await channelOf(36);
    upstream.handler = reply({ is_available: true, balance_infos: [{ currency: 'CNY', total_balance: '110.50' }] });
    const { body } = await admin.send(channelApi.updateBalance, { params: { id } });
    expect(body).toMatchObject({ success: true, balance: 110.5 });
    expect(upstream.received.at(-1)).toMatchObject({ path: '/user/balance' });
    expect(upstream.received.at(-1)?.headers.authorization).toBe('Bearer their-key-123456');
    const row = await admin.call(channelApi.get, { params: { id } });
    expect(row.balance).toBe(110.5);
    expect(row.balance_updated_time).toBeGreaterThan(1_700_000_000);
  });

  test.each([
    [
      'rejects the key',
      reply({ error: { message: 'bad key their-key-123456' } }, 401),
      /^The provider responded: bad key \*\*\*$/,
    ],
    ['returns HTML', reply('<html>'), /^The provider responded: The upstream response is not JSON$/],
    ['returns unexpected JSON', reply({ balance_infos: 7 }), /^The provider responded: /],
  ])('reports the error without the key and stores nothing when the provider %s', async (_, response, message) => {
    const id = await channelOf(36);
    upstream.handler = response;
    const { body } = await admin.send(channelApi.updateBalance, { params: { id } });
    expect(body).toMatchObject({ success: false, message: expect.stringMatching(message) });
    expect(await admin.call(channelApi.get, { params: { id } })).toMatchObject({ balance: 0, balance_updated_time: 0 });
  });

  test('rejects a type without a balance', async () => {
    const id = await channelOf(14);
    const { body } = await admin.send(channelApi.updateBalance, { params: { id } });
    expect(body).toMatchObject({ success: false, message: 'The balance of this channel type cannot be read' });
  });
});

describe('provider models', () => {
  const list = reply({ object: 'list', data: [{ id: 'b' }, { id: 'a' }, { id: 'b' }, { odd: 1 }] });

  test('lists the models for a saved channel', async () => {
    const id = await channelOf(1);
    upstream.handler = list;
    expect(await admin.call(channelApi.upstreamModels, { params: { id } })).toEqual(['a', 'b']);
    expect(upstream.received.at(-1)?.path).toBe('/v1/models');
  });

  test("lists the models for a form, and uses the stored key if the form's key is blank", async () => {
    upstream.handler = list;
    const form = { type: 8, base_url: upstream.url };
    expect(await admin.call(channelApi.upstreamModelsWith, { body: { ...form, key: 'typed-key' } })).toEqual([
      'a',
      'b',
    ]);
    expect(upstream.received.at(-1)?.headers.authorization).toBe('Bearer typed-key');
    const id = await channelOf(8);
    await admin.call(channelApi.upstreamModelsWith, { body: { ...form, id } });
    expect(upstream.received.at(-1)?.headers.authorization).toBe('Bearer their-key-123456');
  });

  test('[A22.1] a stored key is sent only to the stored address', async () => {
    const id = await channelOf(8);
    const other = await StubUpstream.start(list);
    try {
      const body = { id, type: 8, base_url: other.url };
      await expect(admin.call(channelApi.upstreamModelsWith, { body })).rejects.toThrow(/key/i);
      expect(other.received).toHaveLength(0);
    } finally {
      await other.close();
    }
  });

  test('rejects a type without a model list', async () => {
    await expect(admin.call(channelApi.upstreamModelsWith, { body: { type: 26, key: 'k' } })).rejects.toThrow(
      'Providers of this type do not support listing their models',
    );
  });

  test('rejects a metadata service address', async () => {
    const body = { type: 8, key: 'k', base_url: 'http://169.254.169.254' };
    await expect(admin.call(channelApi.upstreamModelsWith, { body })).rejects.toThrow();
  });
});
