import { channelApi, optionApi } from '@headgate/contract';
import {
  chatResponse,
  completion,
  done,
  roleChunk,
  SocketUpstream,
  stop,
  textChunk,
  type UpstreamHandler,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel as storeChannel, storedChannel } from '../../testing/catalog/channel-fixtures.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { wireNamed } from '../../testing/relay/wire-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { UpstreamFirstByteSeconds: '1', UpstreamIdleSeconds: '1' } });

const silent: UpstreamHandler = () => undefined;
const config = (limits: object) => ({ config: JSON.stringify(limits) });

/** A channel with this response and its own time limits. */
async function sceneOf(respond: UpstreamHandler, limits: object = {}) {
  const scene = await relayFixture(app, { upstreams: [respond], channel: config(limits) });
  afterAll(() => scene.close());
  return scene;
}

/** An upstream that responds on demand and reports when it was called. */
function held(write: (response: Parameters<UpstreamHandler>[0]) => void = (response) => response.end()) {
  const received = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const respond: UpstreamHandler = async (response, request) => {
    received.resolve();
    await started.promise;
    if (response.headersSent) write(response);
    else await completion()(response, request);
  };
  return { respond, requested: received.promise, release: started.resolve };
}

const tooLate = { error: { code: 'upstream_unreachable', message: expect.stringContaining('no response in time') } };

async function expectGivenUp(scene: Awaited<ReturnType<typeof sceneOf>>) {
  const response = await scene.chat();
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject(tooLate);
}

describe('[A25.10] upstreams that do not start to respond', () => {
  test('silent upstreams time out after the global limit, unless the channel has a longer one', async () => {
    const patient = held();
    const slow = await sceneOf(patient.respond, { first_byte_seconds: '3600' });
    const waiting = slow.chat();
    await patient.requested;
    await expectGivenUp(await sceneOf(silent));
    patient.release();
    const response = await waiting;
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(chatResponse());
    expect((await slow.books()).logs).toMatchObject([{ type: 2, quota: 75 }]);
  });

  test('silent upstreams time out after the channel limit if it is shorter, and a changed limit applies immediately', async () => {
    const admin = await app.as('admin');
    const set = (value: string) => admin.call(optionApi.update, { body: { key: 'UpstreamFirstByteSeconds', value } });
    await set('3600');
    const patient = held();
    const waiting = (await sceneOf(patient.respond)).chat();
    await patient.requested;
    await expectGivenUp(await sceneOf(silent, { first_byte_seconds: '1' }));
    patient.release();
    expect((await waiting).status).toBe(200);
    await set('1');
    await expectGivenUp(await sceneOf(silent));
  });

  test('silent upstreams also time out over a WebSocket', async () => {
    const wire = wireNamed('Spark by socket');
    const patient = Promise.withResolvers<void>();
    const socket = await SocketUpstream.start(async (response, request) => {
      await patient.promise;
      await wire.respond({ isCall: false, isStream: true })(response, request);
    });
    afterAll(() => socket.close());
    const at = async (limits: object) => {
      const scene = await relayFixture(app);
      const channel = { type: wire.type, models: wire.model, ...wire.channel(socket.url), ...config(limits) };
      await createChannel(scene.admin, scene.group, socket.url, channel);
      return scene.chat({ model: wire.model });
    };
    const waiting = at({ first_byte_seconds: '3600' });
    await expect.poll(() => socket.received).toHaveLength(1);
    expect((await at({})).status).toBe(502);
    patient.resolve();
    expect((await waiting).status).toBe(200);
  });

  test("Node's HTTP server adds no timeout", () => {
    expect(app.app.server.timeout).toBe(0);
  });
});

describe('[A25.10] responses that stall', () => {
  const stallingFor =
    (patient: ReturnType<typeof held>): UpstreamHandler =>
    async (response, request) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(roleChunk + textChunk('Hel'));
      await patient.respond(response, request);
    };

  test('stalled responses time out after the global limit, unless the channel has a longer one', async () => {
    const patient = held((response) => response.end(textChunk('lo') + stop + done));
    const slow = await sceneOf(stallingFor(patient), { idle_seconds: '3600' });
    const waiting = slow.chat({ stream: true }).then((response) => response.text());
    await patient.requested;
    const hasty = await sceneOf(stallingFor(held()));
    expect(await (await hasty.chat({ stream: true })).text()).toContain('idle timeout');
    patient.release();
    const text = await waiting;
    expect(text).toContain('"lo"');
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
  });
});

describe('[A25.10] channel time limits', () => {
  test.each(['0', '86401', '1.5', '-1', '1e3', 'soon', '0x10', '١'])('reject the value %s', async (idle_seconds) => {
    const admin = await app.as('admin');
    const { id } = await storeChannel(app, admin);
    const body = { id, ...config({ idle_seconds }) };
    expect((await admin.send(channelApi.update, { body })).body).toEqual(
      apiFailure('Idle timeout (seconds): must be a whole number from 1 to 86400, or empty'),
    );
  });

  test.each(['1', '86400', ' 60 ', ''])('accept the value %j', async (first_byte_seconds) => {
    const admin = await app.as('admin');
    const { id } = await storeChannel(app, admin);
    await admin.call(channelApi.update, { body: { id, ...config({ first_byte_seconds }) } });
    const kept = first_byte_seconds.trim();
    const { config: shown } = await admin.call(channelApi.get, { params: { id } });
    expect(shown).toBe(kept === '' ? '' : JSON.stringify({ first_byte_seconds: kept }));
    expect(await storedChannel(app, id)).toMatchObject({ id });
  });
});
