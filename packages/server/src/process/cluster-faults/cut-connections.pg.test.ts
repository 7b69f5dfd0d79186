import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { type ConnectionCut, ConnectionCutProxy } from '../../testing/database/connection-cut-proxy.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { plainPrices, startTestApp } from '../../testing/test-app.ts';

/** Text that occurs only in the statement that stores a batch of charges. */
const ofGroup = '"owner_id":';
/** Application name of connections that store charges. */
const ofWriter = 'headgate charges';
/** Upper bound on the number of messages in an exchange. */
const maxMessages = 50;

describe('a connection cut at any message', async () => {
  const stack = new AsyncDisposableStack();
  afterAll(() => stack.disposeAsync());
  const { location } = stack.use(await createTestDatabase());
  const proxy = stack.use(await ConnectionCutProxy.start(location.databaseUrl ?? ''));
  const app = stack.use(
    await startTestApp({ on: { location: { ...location, databaseUrl: proxy.url } }, options: plainPrices }),
  );
  const scene = await relayFixture(app, { upstreams: [completion()] });
  stack.defer(async () => void (await scene.close()));
  let requestCount = 0;

  const send = async () => {
    requestCount += 1;
    const response = await scene.chat({ max_tokens: 10 });
    expect([requestCount, response.status]).toEqual([requestCount, 200]);
    await response.text();
    // Checked before anything else can repair the totals.
    const { user, logs, drift } = await scene.books();
    expect([logs.length, user.request_count, user.used_quota, drift]).toEqual([
      requestCount,
      requestCount,
      requestCount * plainPrice,
      0,
    ]);
    expect(new Set(logs.map(({ request_id }) => request_id)).size).toBe(requestCount);
  };

  const cutOnce = async (cut: ConnectionCut) => {
    proxy.cutNext(cut);
    if (cut.sign === ofWriter) proxy.breakAll(ofWriter);
    await send();
    expect(proxy.arrived).toBeDefined();
    return proxy.arrived ?? 0;
  };

  /** Sends one request per possible cut position and returns the number of messages. */
  const cutEverywhere = async (cut: Pick<ConnectionCut, 'sign' | 'from'>) => {
    for (let after = 0; after <= maxMessages; after += 1) {
      // Skipped for handshakes, which have many similar messages.
      if (cut.sign !== ofWriter) await cutOnce({ ...cut, after, isHalf: true });
      if ((await cutOnce({ ...cut, after, isHalf: false })) < after) return after - 1;
    }
    return undefined;
  };

  test.for([
    // Minimum messages sent: bind, describe, execute, sync. Minimum received: bound, described, done, ready.
    ['the statement that stores a group of charges', { sign: ofGroup, from: 'node' }, 4],
    ['the response to that statement', { sign: ofGroup, from: 'server' }, 4],
    ['the startup message of a charge connection', { sign: ofWriter, from: 'node' }, 1],
    ['the handshake of a charge connection', { sign: ofWriter, from: 'server' }, 5],
  ] as const)(
    '[A9.4] charges and logs every request once when the connection is cut during %s',
    async ([, cut, fewest]) => {
      await send();
      expect(await cutEverywhere(cut)).toBeGreaterThanOrEqual(fewest);
      expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, offenders: [] });
    },
  );
});
