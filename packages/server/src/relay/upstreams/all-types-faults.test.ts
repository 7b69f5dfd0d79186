import { channelApi, channelStatus, optionApi } from '@headgate/contract';
import { reply, requestBody, type SocketUpstream, sparkSocket, stream, type Wire } from '@headgate/testkit';
import { APIError } from 'openai';
import { describe, expect, test } from 'vitest';
import { useWireFixtures, type WireFixture, wireNamed } from '../../testing/relay/wire-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ upstreamTimeouts: { connectMs: 5000, firstByteMs: 5000, idleMs: 200 } });
const { stageOf } = useWireFixtures(app);

const send = ({ client }: WireFixture, { model }: Wire) =>
  client.chat.completions.create(requestBody(model, { isStream: false, hasTools: false }) as never);

const plain = (wire: Wire) => wire.respond({ isStream: false, isCall: false });

const exchangesOf = ({ seen, upstream }: WireFixture, wire: Wire) =>
  seen.filter((request) => wire.exchange?.(request, upstream.url));

describe.each(['Baidu, version 1', 'Vertex with Claude'])('key exchange of %s', (name) => {
  const wire = wireNamed(name);

  test('exchanges the key once for concurrent requests', async () => {
    const stage = await stageOf(wire);
    stage.respondWith(plain(wire));
    await Promise.all(Array.from({ length: 5 }, () => send(stage, wire)));
    expect(exchangesOf(stage, wire)).toHaveLength(1);
    expect(stage.seen).toHaveLength(6);
  });

  test('exchanges the key again if its access token is rejected in a request or a test', async () => {
    const stage = await stageOf(wire);
    const { respondWith, scene, channel } = stage;
    const testChannel = () => scene.admin.send(channelApi.test, { params: { id: channel }, query: {} });
    respondWith(plain(wire));
    await send(stage, wire);
    respondWith(wire.reject('Access token invalid or no longer valid'));
    await expect(send(stage, wire)).rejects.toBeInstanceOf(APIError);
    respondWith(plain(wire));
    await send(stage, wire);
    expect(exchangesOf(stage, wire)).toHaveLength(2);
    respondWith(wire.reject('Access token invalid or no longer valid'));
    expect((await testChannel()).body).toMatchObject({ success: false });
    respondWith(plain(wire));
    expect((await testChannel()).body).toMatchObject({ success: true });
    expect(exchangesOf(stage, wire)).toHaveLength(3);
  });
});

describe('errors inside a 200 response', () => {
  test('a content error is returned as a client error, whole and streamed', async () => {
    const wire = wireNamed('MiniMax');
    const { sendRejected, respondWith, scene } = await stageOf(wire);
    respondWith(reply({ choices: null, base_resp: { status_code: 1026, status_msg: 'sensitive input' } }));
    for (const isStream of [false, true]) {
      expect(await sendRejected({ stream: isStream })).toMatchObject({ status: 400, code: '1026' });
    }
    expect((await scene.books()).user.used_quota).toBe(0);
  });

  test.each([
    [401, 502],
    [402, 402],
    [403, 502],
    [429, 429],
    [400, 400],
    ['invalid_api_key', 502],
    [7, 502],
  ])('code %s is returned as status %i, whole and streamed', async (code, status) => {
    const { sendRejected, respondWith, scene } = await stageOf(wireNamed('OpenRouter'));
    const error = { error: { message: 'no', code, metadata: {} }, user_id: 'u' };
    respondWith(reply(error));
    expect(await sendRejected({})).toMatchObject({ status, code: String(code) });
    expect(await sendRejected({ stream: true })).toMatchObject({ status, code: String(code) });
    respondWith(stream([`data: ${JSON.stringify(error)}\n\n`]));
    expect(await sendRejected({ stream: true })).toMatchObject({ status, code: String(code) });
    const noted = (await scene.books()).logs.map(({ detail }) => JSON.parse(detail).attempts[0].status);
    const meant = typeof code === 'number' && code >= 400 ? code : 502;
    expect(noted).toEqual([meant, meant, meant]);
  });

  test.each(['Hunyuan, signed', 'Tongyi with a plugin', 'Anthropic', 'Gemini'])(
    '%s: disables the channel for a rejected key if the option is on',
    async (name) => {
      const root = await app.as('root');
      await root.call(optionApi.update, { body: { key: 'AutomaticDisableChannelEnabled', value: 'true' } });
      const wire = wireNamed(name);
      const { sendRejected, respondWith, channel } = await stageOf(wire);
      respondWith(wire.reject('the words do not matter'));
      await sendRejected({});
      const status = () =>
        app.database.selectFrom('channels').select('status').where('id', '=', channel).executeTakeFirstOrThrow();
      await expect.poll(status).toEqual({ status: channelStatus.disabledByMonitor });
    },
  );
});

describe('WebSocket upstreams', () => {
  test('WebSocket upstreams are disconnected when the client disconnects', async () => {
    const { client, respondWith, upstream, seen } = await stageOf(sparkSocket);
    const [first = ''] = await framesOf(sparkSocket);
    respondWith(stream([first], 'stall'));
    const streaming = await client.chat.completions.create({
      model: sparkSocket.model,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    });
    for await (const _ of streaming) break;
    await seen[0]?.left;
    expect((upstream as SocketUpstream).open).toBe(0);
  });

  test.each([
    [401, 502],
    [403, 502],
    [429, 429],
  ])('a WebSocket upstream that rejects the connection with %i returns the reason', async (status, shown) => {
    const { sendRejected, upstream, channel, scene } = await stageOf(sparkSocket);
    const { key } = sparkSocket.channel('');
    (upstream as SocketUpstream).rejection = {
      status,
      body: JSON.stringify({ message: `HMAC cannot be verified: ${key}` }),
    };
    for (const isStream of [false, true]) {
      const error = await sendRejected({ stream: isStream });
      expect(error).toMatchObject({ status: shown, message: expect.stringContaining('HMAC cannot be verified: ***') });
    }
    const { body } = await scene.admin.send(channelApi.test, { params: { id: channel }, query: {} });
    expect(body).toMatchObject({ success: false, message: expect.stringContaining('HMAC cannot be verified: ***') });
    const [log] = (await scene.books()).logs;
    expect(JSON.parse(log?.detail ?? '').attempts).toMatchObject([{ status }]);
  });

  test('a WebSocket upstream without a message returns 502 after the first-byte timeout', async () => {
    await using hasty = await startTestApp({ upstreamTimeouts: { connectMs: 5000, firstByteMs: 300, idleMs: 200 } });
    const { sendRejected, respondWith } = await useWireFixtures(hasty).stageOf(sparkSocket);
    respondWith(stream([], 'stall'));
    for (const isStream of [false, true]) {
      const error = await sendRejected({ stream: isStream });
      expect(error).toMatchObject({ status: 502, message: expect.stringContaining('no response in time') });
    }
  });
});

/** All frames that a wire sends for a plain question. */
async function framesOf(wire: Wire): Promise<string[]> {
  const messages: string[] = [];
  const response = {
    writeHead: () => undefined,
    write: (text: string, done: () => void) => {
      messages.push(text);
      done();
    },
    end: () => undefined,
  };
  await wire.respond({ isStream: true, isCall: false })(response as never, {} as never);
  return messages;
}
