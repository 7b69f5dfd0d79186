import { channelApi } from '@headgate/contract';
import { completion, OutboundProxyServer, reply, StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const password = 'password-of-the-proxy';
const proxy = await OutboundProxyServer.start({ scheme: 'socks5', credentials: `gateway:${password}` });
const upstream = await StubUpstream.start();
afterAll(() => Promise.all([proxy.close(), upstream.close()]));

const proxyUrl = proxy.url.replace(`:${password}`, '');
const config = JSON.stringify({ proxy: proxyUrl, proxy_password: password });

async function channelOf(fields: object = {}): Promise<number> {
  const name = `proxied-${Math.random()}`;
  const body = {
    name,
    type: 36,
    key: 'k-123456',
    base_url: upstream.url,
    models: 'gpt-4o',
    group: 'g',
    config,
    ...fields,
  };
  await admin.call(channelApi.create, { body });
  const [row] = await admin.call(channelApi.search, { query: { keyword: name } });
  return row?.id ?? 0;
}

/** One connection per request, so that each request opens a tunnel. */
const onceEach =
  (handler: UpstreamHandler): UpstreamHandler =>
  (response, request) => {
    response.shouldKeepAlive = false;
    return handler(response, request);
  };

async function tunnels(act: () => Promise<unknown>): Promise<number> {
  const before = proxy.targets.length;
  await act();
  return proxy.targets.length - before;
}

describe('calls of a channel with a proxy', () => {
  test('chat requests, balances, model lists and tests are sent through the proxy, on separate connections', async () => {
    const fixture = await relayFixture(app, { upstreams: [completion()], channel: { config } });
    expect(await tunnels(fixture.chat)).toBe(1);
    expect((await fixture.books()).drift).toBe(0);
    upstream.handler = onceEach(
      reply({ is_available: true, balance_infos: [{ currency: 'CNY', total_balance: '1' }] }),
    );
    const id = await channelOf();
    const params = { id };
    const direct = await channelOf({ config: '' });
    expect(await tunnels(() => admin.call(channelApi.updateBalance, { params: { id: direct } }))).toBe(0);
    expect(await tunnels(() => admin.call(channelApi.updateBalance, { params }))).toBe(1);
    upstream.handler = onceEach(reply({ object: 'list', data: [{ id: 'a' }] }));
    expect(await tunnels(() => admin.call(channelApi.upstreamModels, { params }))).toBe(1);
    const form = { id, type: 36, base_url: upstream.url, config };
    expect(await tunnels(() => admin.call(channelApi.upstreamModelsWith, { body: form }))).toBe(1);
    upstream.handler = onceEach(completion());
    expect(await tunnels(() => admin.call(channelApi.test, { params, query: {} }))).toBe(1);
    await fixture.close();
  });

  test('the error names a failing proxy without its address and password', async () => {
    const broken = JSON.stringify({ proxy: proxyUrl, proxy_password: 'wrong-password' });
    const fixture = await relayFixture(app, { upstreams: [completion()], channel: { config: broken } });
    const response = await fixture.chat();
    const text = await response.text();
    expect(text).toContain('the outbound proxy rejected its credentials');
    expect(text).not.toMatch(/wrong-password|127\.0\.0\.1|gateway/);
    expect(fixture.upstreams[0]?.received).toEqual([]);
    expect(await fixture.books()).toMatchObject({ user: { used_quota: 0 }, drift: 0 });
    await fixture.close();
  });
});

describe('the password of a proxy', () => {
  const stored = async (id: number) => JSON.parse((await admin.call(channelApi.get, { params: { id } })).config);

  test('is split from the URL, stored, and never returned', async () => {
    const id = await channelOf({ config: JSON.stringify({ proxy: proxy.url }) });
    expect(await stored(id)).toEqual({ proxy: proxyUrl, proxy_password: '' });
    expect(JSON.stringify(await app.database.selectFrom('channels').selectAll().execute())).not.toContain(password);
    const body = { id, config: JSON.stringify({ proxy: proxyUrl, proxy_password: '' }) };
    expect(await tunnels(() => admin.call(channelApi.update, { body }))).toBe(0);
    expect(await stored(id)).toEqual({ proxy: proxyUrl, proxy_password: '' });
  });

  test('[A71.7] is dropped when the proxy changes, and a channel without TLS then requires its key again', async () => {
    const id = await channelOf({ base_url: 'https://provider.example' });
    const other = JSON.stringify({ proxy: 'socks5://gateway@10.0.0.1:1080' });
    await admin.call(channelApi.update, { body: { id, config: other } });
    expect(await stored(id)).not.toHaveProperty('proxy_password');
    const plain = await channelOf();
    const moved = { id: plain, config: other };
    expect((await admin.send(channelApi.update, { body: moved })).body).toMatchObject({ success: false });
    await expect(
      admin.call(channelApi.upstreamModelsWith, { body: { ...moved, type: 36, base_url: upstream.url } }),
    ).rejects.toThrow(/key/i);
    expect(await stored(plain)).toEqual({ proxy: proxyUrl, proxy_password: '' });
    await admin.call(channelApi.update, { body: { ...moved, key: 'k-new' } });
  });

  test.each(['ftp://host', 'host:1080', 'socks5://host:99999', 'http://169.254.169.254'])(
    '[A71.6] rejects %s',
    async (url) => {
      const { body } = await admin.send(channelApi.update, {
        body: { id: await channelOf(), key: 'k', config: JSON.stringify({ proxy: url }) },
      });
      expect(body).toMatchObject({ success: false });
    },
  );
});
