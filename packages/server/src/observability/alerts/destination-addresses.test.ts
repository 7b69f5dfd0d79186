import { alertApi, type DestinationKind } from '@headgate/contract';
import { AlertDestinations } from '@headgate/testkit';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { stubDns } from '../../testing/commands/stub-dns.ts';
import { alertFixture } from '../../testing/observability/alert-fixture.ts';
import {
  endlessResponse,
  manyHeaders,
  nonHttpResponse,
  RawServer,
  respondWith,
  switchingProtocols,
} from '../../testing/relay/raw-server.ts';

const metadata = '169.254.169.254';
/** Results of successive DNS lookups of the host name; the last one repeats. */
let addresses: (readonly string[])[] = [];
let lookups = 0;
const names = stubDns((name) => {
  if (name !== 'receiver.stand-in.test') return undefined;
  lookups += 1;
  return addresses.length > 1 ? addresses.shift() : addresses[0];
});
const scene = await alertFixture();
const raw = await RawServer.start(() => undefined);
const thief = await AlertDestinations.start();
afterAll(async () => {
  names[Symbol.dispose]();
  await Promise.all([scene[Symbol.asyncDispose](), raw.close(), thief.close()]);
});
beforeEach(() => {
  lookups = 0;
  scene.out.alerts.length = 0;
  scene.out.faults.clear();
});

async function receiverAt(base: string, kind: DestinationKind = 'slack') {
  const settings = { ...scene.out.settings()[kind] };
  const { pathname } = new URL(settings['address'] ?? '');
  const body = { kind, name: 'moved', language: 'en' as const, settings: { ...settings, address: base + pathname } };
  const { id } = await scene.admin.call(alertApi.addReceiver, { body });
  return () => scene.admin.call(alertApi.testReceiver, { params: { id } });
}

const named = () => `http://receiver.stand-in.test:${new URL(scene.out.url).port}`;

describe('[A53.8] destination whose host name resolves differently after it was saved', () => {
  test.each([
    ['to a metadata service', [metadata]],
    ['to a metadata service among other addresses', ['127.0.0.1', metadata]],
    ['to a metadata service in IPv6 notation', ['::ffff:169.254.169.254']],
    ['to a metadata service behind NAT64', ['64:ff9b::a9fe:a9fe']],
    ['to a link-local address', ['fe80::1']],
  ])('a destination is not called when it resolves %s', async (_, address) => {
    addresses = [['127.0.0.1']];
    const send = await receiverAt(named());
    expect(await send()).toMatchObject({ ok: true });
    addresses = [address];
    expect(await send()).toMatchObject({ ok: false, answer: expect.stringContaining('FORBIDDEN') });
    expect(scene.out.alerts).toHaveLength(1);
  });

  test('a destination is called at the checked address even if two lookups return different addresses', async () => {
    addresses = [['127.0.0.1'], [metadata]];
    const send = await receiverAt(named());
    expect(await send()).toMatchObject({ ok: true });
    expect([lookups, scene.out.alerts.length]).toEqual([1, 1]);
    addresses = [[metadata], ['127.0.0.1']];
    expect(await send()).toMatchObject({ ok: false });
    expect([lookups, scene.out.alerts.length]).toEqual([2, 1]);
  });

  test.each([`http://${metadata}/latest`, 'http://[fd00:ec2::254]/', () => `${thief.url}/slack`])(
    'redirects are not followed: %s',
    async (address) => {
      const location = typeof address === 'string' ? address : address();
      const send = await receiverAt(scene.out.url);
      for (const status of [301, 302, 303, 307, 308]) {
        scene.out.faults.set('slack', () => ({ status, body: '', headers: { location } }));
        expect(await send()).toMatchObject({ ok: false, answer: `HTTP ${status}` });
      }
      expect(thief.alerts).toEqual([]);
      expect(scene.out.alerts).toHaveLength(5);
    },
  );
});

describe('[A53.8] misbehaving destination', () => {
  test.each([
    ['switches protocols', switchingProtocols],
    ['does not speak HTTP', nonHttpResponse],
    ['disconnects', (socket: { destroy(): unknown }) => void socket.destroy()],
    ['sends an endless response', endlessResponse],
    ['sends thousands of headers', manyHeaders],
  ])('a destination fails immediately and reports the error when it %s', async (_, response) => {
    raw.response = response;
    const send = await receiverAt(raw.url);
    const { ok, answer: reported } = await send();
    expect([ok, reported]).toEqual([false, expect.stringContaining(new URL(raw.url).host)]);
    // The call failed without waiting for the timeout.
    expect(reported).not.toContain('timed out');
    raw.response = respondWith('200 OK', 'ok');
    expect(await send()).toMatchObject({ ok: true });
  });
});
