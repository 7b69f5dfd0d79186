import { setTimeout as sleep } from 'node:timers/promises';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { OtlpCollector } from '../../testing/relay/otlp-collector.ts';
import {
  endlessResponse,
  manyHeaders,
  nonHttpResponse,
  type RawResponder,
  RawServer,
  respondWith,
  stalledResponse,
  switchingProtocols,
} from '../../testing/relay/raw-server.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const fine = respondWith('200 OK', '{}');
const collector = await RawServer.start(fine);
const elsewhere = await OtlpCollector.start();
const tracing = (timeout: string) => ({
  config: {
    traces: readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: timeout,
      OTEL_BSP_SCHEDULE_DELAY: '10',
    }).traces,
  },
});
const app = await useTestApp(tracing('1000'));
const scene = await relayFixture(app, { upstreams: [completion()] });
afterAll(() => Promise.all([scene.close(), collector.close(), elsewhere.close()]));

/** Each request creates two spans: its own and one for its attempt. */
const spans = 2;
type Fate = 'sent' | 'refused' | 'unreachable';

async function counts(): Promise<Readonly<Record<Fate, number>>> {
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^headgate_trace_spans_${name} (\\d+)`, 'm').exec(metrics)?.[1]);
  const dropped = (reason: Fate) => read(`dropped_total\\{reason="${reason}"\\}`);
  return { sent: read('sent_total'), refused: dropped('refused'), unreachable: dropped('unreachable') };
}

const partial = (rejected: string) => respondWith('200 OK', `{"partialSuccess":{"rejectedSpans":${rejected}}}`);

const cases: readonly (readonly [string, RawResponder, Fate])[] = [
  ['sends an endless response', endlessResponse, 'sent'],
  ['stalls during the response', stalledResponse, 'unreachable'],
  ['does not respond', () => undefined, 'unreachable'],
  ['disconnects', (socket) => socket.destroy(), 'unreachable'],
  ['does not speak HTTP', nonHttpResponse, 'unreachable'],
  ['switches protocols', switchingProtocols, 'unreachable'],
  ['sends thousands of headers', manyHeaders, 'unreachable'],
  ['redirects', respondWith('307 Elsewhere', '', [`location: ${elsewhere.url}/v1/traces`]), 'refused'],
  ['returns 413', respondWith('413 Too Large'), 'refused'],
  ['rejects a negative number of spans', partial('"-9"'), 'sent'],
  ['rejects more spans than were sent', partial('"999999999999999999999999"'), 'refused'],
  ['rejects a malformed number of spans', partial('{"toString":1}'), 'sent'],
  ['returns invalid Protobuf', respondWith('200 OK', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])), 'sent'],
];

describe('[A53.7] misbehaving trace collector', () => {
  test.each(cases)(
    'a collector that %s fails no request, is counted, and is called again',
    async (_, response, fate) => {
      const before = await counts();
      collector.response = response;
      expect((await scene.chat()).status).toBe(200);
      const failed = { ...before, [fate]: before[fate] + spans };
      await expect.poll(counts).toEqual(failed);
      collector.response = fine;
      expect((await scene.chat()).status).toBe(200);
      await expect.poll(counts).toEqual({ ...failed, sent: failed.sent + spans });
      expect(elsewhere.requests).toEqual([]);
    },
  );

  test('does not delay the shutdown when it requests a delay of a day', async () => {
    const other = await startTestApp(tracing('10000'));
    const own = await relayFixture(other, { upstreams: [completion()] });
    const before = collector.count;
    collector.response = respondWith('503 Later', '', ['retry-after: 86400']);
    expect((await own.chat()).status).toBe(200);
    await expect.poll(() => collector.count).toBeGreaterThan(before);
    for (let count = 0; count < 5; count += 1) expect((await own.chat()).status).toBe(200);
    await own.close();
    // The longest delay between two attempts is a minute.
    const waits = sleep(45_000, 'waits', { ref: false });
    expect(await Promise.race([other.close().then(() => 'closed'), waits])).toBe('closed');
    collector.response = fine;
  });
});
