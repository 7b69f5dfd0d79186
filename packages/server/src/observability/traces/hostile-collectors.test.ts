import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { OtlpCollector } from '../../testing/relay/otlp-collector.ts';
import {
  endless,
  manyHeaders,
  noHttp,
  type RawAnswer,
  RawServer,
  saying,
  stalled,
  switching,
} from '../../testing/relay/raw-server.ts';
import { relayScene } from '../../testing/relay/relay-scene.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const fine = saying('200 OK', '{}');
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
const scene = await relayScene(app, { upstreams: [completion()] });
afterAll(() => Promise.all([scene.close(), collector.close(), elsewhere.close()]));

/** Each request has its own span and one for its attempt. */
const spans = 2;
type Fate = 'sent' | 'refused' | 'unreachable';

async function counts(): Promise<Readonly<Record<Fate, number>>> {
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^headgate_trace_spans_${name} (\\d+)`, 'm').exec(metrics)?.[1]);
  const dropped = (reason: Fate) => read(`dropped_total\\{reason="${reason}"\\}`);
  return { sent: read('sent_total'), refused: dropped('refused'), unreachable: dropped('unreachable') };
}

const partial = (rejected: string) => saying('200 OK', `{"partialSuccess":{"rejectedSpans":${rejected}}}`);

const cases: readonly (readonly [string, RawAnswer, Fate])[] = [
  ['answers without end', endless, 'sent'],
  ['begins an answer and stops', stalled, 'unreachable'],
  ['says nothing', () => undefined, 'unreachable'],
  ['hangs up', (socket) => socket.destroy(), 'unreachable'],
  ['speaks something else', noHttp, 'unreachable'],
  ['switches to something else', switching, 'unreachable'],
  ['has thousands of headers', manyHeaders, 'unreachable'],
  ['leads elsewhere', saying('307 Elsewhere', '', [`location: ${elsewhere.url}/v1/traces`]), 'refused'],
  ['says that it is too much', saying('413 Too Large'), 'refused'],
  ['takes fewer than none', partial('"-9"'), 'sent'],
  ['rejects more than there were', partial('"999999999999999999999999"'), 'refused'],
  ['rejects no number', partial('{"toString":1}'), 'sent'],
  ['answers in broken Protobuf', saying('200 OK', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])), 'sent'],
];

describe('[A53.7] a collector that', () => {
  test.each(cases)('%s fails no request, is counted, and is called again', async (_, answer, fate) => {
    const before = await counts();
    collector.answer = answer;
    expect((await scene.chat()).status).toBe(200);
    const failed = { ...before, [fate]: before[fate] + spans };
    await expect.poll(counts).toEqual(failed);
    collector.answer = fine;
    expect((await scene.chat()).status).toBe(200);
    await expect.poll(counts).toEqual({ ...failed, sent: failed.sent + spans });
    expect(elsewhere.requests).toEqual([]);
  });

  test('requests a delay of a day does not delay the shutdown', async () => {
    const other = await startTestApp(tracing('10000'));
    const own = await relayScene(other, { upstreams: [completion()] });
    const before = collector.count;
    collector.answer = saying('503 Later', '', ['retry-after: 86400']);
    expect((await own.chat()).status).toBe(200);
    await expect.poll(() => collector.count).toBeGreaterThan(before);
    for (let count = 0; count < 5; count += 1) expect((await own.chat()).status).toBe(200);
    await own.close();
    await other.close();
    collector.answer = fine;
    // Otherwise it would sleep for a minute, the longest delay between two attempts.
  }, 45_000);
});
