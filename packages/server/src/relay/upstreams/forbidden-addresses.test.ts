import { channelApi, mailApi, oauthApi, userApi } from '@headgate/contract';
import { completion, LoginProviders, Mailbox, SocketUpstream, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { requestJson } from '../../platform/outgoing/request-json.ts';
import { stubDns } from '../../testing/commands/stub-dns.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { newProviderUser, providerOptions } from '../../testing/relay/login-provider-fixture.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { wireNamed } from '../../testing/relay/wire-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const metadata = '169.254.169.254';
/** Addresses that the test hostnames resolve to. */
let address: readonly string[] = [metadata];
const names = stubDns((name) => (name.endsWith('.stand-in.test') ? address : undefined));
afterAll(() => names[Symbol.dispose]());

const app = await useTestApp();
const upstream = await StubUpstream.start(async (response, request) => {
  // A keep-alive connection would not resolve the name again.
  response.setHeader('connection', 'close');
  await completion()(response, request);
});
afterAll(() => upstream.close());
const { port } = new URL(upstream.url);

let hosts = 0;
/** A new hostname every time, so that no connection is reused. */
const nameOf = (ownPort = port) => {
  hosts += 1;
  return `http://host${hosts}.stand-in.test:${ownPort}`;
};

async function channelAt(url: string, fields: object = {}) {
  const scene = await relayFixture(app);
  await createChannel(scene.admin, scene.group, url, fields);
  const { id } = await app.database
    .selectFrom('channels')
    .select('id')
    .where('group', '=', scene.group)
    .executeTakeFirstOrThrow();
  return { ...scene, id };
}

const unreachable = {
  error: {
    code: 'upstream_unreachable',
    message: expect.stringMatching(/^The upstream could not be reached: its address is not allowed \(request id: /),
  },
};

describe('[A21.3] channels whose hostname resolves to a link-local or metadata address', () => {
  test.each([
    [[metadata]],
    [['127.0.0.1', metadata]],
    [['169.254.170.2']],
    [['100.100.100.200']],
    [['192.0.0.192']],
    [['168.63.129.16']],
    [['fe80::1']],
    [['fd00:ec2::254']],
    [['fd00:ec2::23']],
    [['fd20:ce::254']],
    [['::ffff:169.254.169.254']],
    [['64:ff9b::a9fe:a9fe']],
  ])('a channel is not called if its hostname resolves to %j', async (addresses) => {
    const seen = upstream.received.length;
    address = addresses;
    const scene = await channelAt(nameOf());
    const response = await scene.chat();
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject(unreachable);
    expect(upstream.received).toHaveLength(seen);
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 5, quota: 0 }]);
    expect(drift).toBe(0);
  });

  test('a channel is called while its hostname resolves to a private address, but not after it changes to a metadata address', async () => {
    address = ['127.0.0.1'];
    const scene = await channelAt(nameOf());
    expect((await scene.chat()).status).toBe(200);
    address = [metadata];
    const response = await scene.chat();
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject(unreachable);
  });

  test('a channel at a metadata address is not called for a channel test, balance or model list', async () => {
    address = [metadata];
    const { admin, id } = await channelAt(nameOf());
    const expected = apiFailure(/its address is not allowed$/);
    expect((await admin.send(channelApi.test, { params: { id }, query: { model: '' } })).body).toMatchObject({
      success: false,
      message: expect.stringMatching(/its address is not allowed$/),
    });
    expect((await admin.send(channelApi.upstreamModels, { params: { id } })).body).toEqual(expected);
    expect((await admin.send(channelApi.updateBalance, { params: { id } })).body).toEqual(expected);
  });

  test('a channel at a metadata address is not called as a proxy', async () => {
    address = [metadata];
    const scene = await channelAt(nameOf(), { type: 43, key: 'Basic x', models: '' });
    const response = await fetch(`${app.url}/v1/proxy/${scene.id}/latest/meta-data`, {
      headers: { authorization: `Bearer sk-${scene.token.key}` },
    });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject(unreachable);
  });

  test('a channel at a metadata address is not called by WebSocket', async () => {
    const wire = wireNamed('Spark by socket');
    const socket = await SocketUpstream.start(wire.respond({ isCall: false, isStream: true }));
    afterAll(() => socket.close());
    const url = nameOf(new URL(socket.url).port);
    const scene = await channelAt(url, { type: wire.type, models: wire.model, ...wire.channel(url), base_url: url });
    address = ['127.0.0.1'];
    expect((await scene.chat({ model: wire.model })).status).toBe(200);
    address = [metadata, '127.0.0.1'];
    const seen = socket.received.length;
    expect((await scene.chat({ model: wire.model })).status).toBe(502);
    expect(socket.received).toHaveLength(seen);
  });

  test('a channel at a metadata address is not called to exchange a credential', async () => {
    const wire = wireNamed('Baidu, version 1');
    address = [metadata];
    const url = nameOf();
    const scene = await channelAt(url, { type: wire.type, models: wire.model, ...wire.channel(url), base_url: url });
    const response = await scene.chat({ model: wire.model });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject(unreachable);
  });

  test.each([301, 302, 303, 307, 308])(
    "[A22.1] a metadata address is not reached by a redirect with status %i, and does not receive the channel's key",
    async (status) => {
      const seen: string[] = [];
      const inside = await StubUpstream.start((response) => {
        seen.push('inside');
        response.end('{}');
      });
      const leading = await StubUpstream.start((response) => {
        response.writeHead(status, { location: `${inside.url}/latest/meta-data` }).end();
      });
      const scene = await channelAt(leading.url);
      expect((await scene.chat()).status).toBeGreaterThanOrEqual(300);
      expect(seen).toEqual([]);
      await Promise.all([inside.close(), leading.close()]);
    },
  );
});

describe('[A21.4] options whose hostname resolves to a metadata address', () => {
  test('a metadata address in an option is not called, regardless of who set the option', async () => {
    address = [metadata];
    await expect(requestJson(nameOf())).rejects.toThrow(/\(FORBIDDEN\)$/);
    address = ['127.0.0.1', metadata];
    await expect(requestJson(nameOf())).rejects.toThrow(/\(FORBIDDEN\)$/);
  });

  test('a mail server at a metadata address receives no mail and no password', async () => {
    await using box = await Mailbox.start();
    const options = { SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' };
    for (const SMTPServer of ['mail.stand-in.test', metadata, '0xa9fea9fe', 'fe80::1', 'metadata.google.internal']) {
      address = [metadata];
      await using other = await startTestApp({ options: { ...options, SMTPServer } });
      const { body } = await (await other.as('admin')).send(mailApi.test, { body: { to: 'me@example.com' } });
      expect(body).toEqual(apiFailure(/^The mail could not be sent: the address is not allowed$/));
    }
    address = ['127.0.0.1'];
    await using other = await startTestApp({ options: { ...options, SMTPServer: 'mail.stand-in.test' } });
    await (await other.as('admin')).call(mailApi.test, { body: { to: 'me@example.com' } });
    expect(box.mails).toHaveLength(1);
  });

  test('OpenID discovery and WeChat sign-in do not call a metadata address', async () => {
    const providers = await LoginProviders.start();
    const away = `http://id.stand-in.test:${new URL(providers.url).port}`;
    address = [metadata];
    const options = { ...providerOptions(providers), OidcWellKnown: `${away}/oidc`, WeChatServerAddress: away };
    await using other = await startTestApp({ options });
    const client = other.client();
    const cannot = apiFailure(/^Cannot connect to /);
    expect((await client.send(oauthApi.state, { query: { provider: 'oidc' } })).body).toEqual(cannot);
    expect((await client.send(oauthApi.wechat, { query: { code: 'x' } })).body).toEqual(cannot);
    expect(providers.calls).toEqual([]);
    await providers.close();
  });

  test.each(['token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
    'sign-in does not call a metadata address in the %s of a discovery document',
    async (field) => {
      const providers = await LoginProviders.start();
      const path = '/oidc/.well-known/openid-configuration';
      const document = (await (await fetch(providers.url + path)).json()) as Record<string, string>;
      const away = String(document[field]).replace('127.0.0.1', 'id.stand-in.test');
      providers.faults.set(path, (_, response) => response.end(JSON.stringify({ ...document, [field]: away })));
      address = [metadata];
      await using other = await startTestApp({ options: providerOptions(providers) });
      const client = other.client();
      const { body } = await client.send(oauthApi.state, { query: { provider: 'oidc' } });
      const { data: state, url } = body as { data: string; url: string };
      const code = providers.grant(newProviderUser(), url);
      const reply = await client.send(oauthApi.oidc, { query: { code, state } });
      expect(reply.body).toEqual(apiFailure(/^Cannot connect to /));
      expect(reply.text).not.toContain(metadata);
      expect((await client.send(userApi.self)).status).toBe(401);
      await providers.close();
    },
  );
});
