import { logExportApi, optionApi, usageApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { OtlpCollector } from '../../testing/relay/otlp-collector.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { otlpTracesUrl, parseOtlpHeaders } from './otlp-batch.ts';

const clock = { now: Math.floor(Date.now() / 1000) };
const app = await useTestApp({ alertPace: { exportMs: 20, pollMs: 20, now: () => clock.now } });
const root = await app.as('root');
const collectors = await Promise.all([OtlpCollector.start(), OtlpCollector.start()]);
afterAll(() => Promise.all(collectors.map((collector) => collector.close())));

const requestId = '0198f4a2-0000-7abc-8def-0123456789ab';
const startMs = 0x0198f4a20000;

describe('OpenTelemetry collector', () => {
  it('receives a span for each request, with the configured headers', async () => {
    const tags = JSON.stringify({ model_ratio: 1, request_tags: { team: 'search' } });
    const used = { prompt_tokens: 12, completion_tokens: 34, cached_tokens: 5, quota: 7, cost: 3, channel: 2 };
    await writeLogs(app.database, [
      {
        created_at: sampleHour,
        model_name: 'gpt-4o',
        request_id: requestId,
        elapsed_time: 1500,
        detail: tags,
        ...used,
      },
      { created_at: sampleHour, type: 5, model_name: 'gpt-4o', status: 503, reason: 'no_channel', elapsed_time: 20 },
      { created_at: sampleHour, type: 4, content: 'not a request' },
    ]);
    const ids: number[] = [];
    for (const [index, { url }] of collectors.entries()) {
      const settings = { address: `${url}/otel`, headers: `authorization=Basic k${index}=,x-team=search` };
      const body = { kind: 'otlp', name: `Collector ${index}`, from: 'start', settings } as const;
      const made = await root.call(logExportApi.add, { body });
      expect(made).toMatchObject({ secrets: ['headers'], settings: { address: `${url}/otel` } });
      ids.push(made.id);
    }
    for (const [index, collector] of collectors.entries()) {
      const { requests, spans } = collector;
      await expect
        .poll(async () => {
          clock.now += 4000;
          return (await root.call(logExportApi.get, { params: { id: ids[index] ?? 0 } })).lag;
        })
        .toBe(0);
      expect(requests[0]).toMatchObject({
        path: '/otel/v1/traces',
        headers: { authorization: `Basic k${index}=`, 'x-team': 'search', 'content-type': 'application/json' },
      });
      expect(collector.resource['service.name']).toBe('headgate');
      const [served, failed] = spans;
      expect(spans).toHaveLength(2);
      expect(served).toMatchObject({ name: 'chat gpt-4o', kind: 3, status: {} });
      expect(served?.traceId).toBe(requestId.replaceAll('-', ''));
      expect(failed?.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(served?.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(Number(BigInt(served?.startTimeUnixNano ?? 0) / 1_000_000n)).toBeCloseTo(startMs, -1);
      const ns = BigInt(served?.endTimeUnixNano ?? 0) - BigInt(served?.startTimeUnixNano ?? 0);
      expect(Math.round(Number(ns) / 1e6)).toBe(1500);
      expect(served?.attributes).toMatchObject({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 34,
        'gen_ai.usage.cache_read.input_tokens': 5,
        'headgate.request_id': requestId,
        'headgate.quota': 7,
        'headgate.cost': 3,
        'headgate.tag.team': 'search',
      });
      expect(failed).toMatchObject({
        status: { code: 2 },
        attributes: { 'error.type': 'no_channel', 'http.response.status_code': 503 },
      });
    }
    const idsOf = (collector?: OtlpCollector) => collector?.spans.map(({ traceId, spanId }) => [traceId, spanId]);
    expect(idsOf(collectors[0])).toEqual(idsOf(collectors[1]));
  });

  it('exports the provider and tags of a request; the FOCUS file lists its cost under the tag', async () => {
    await root.call(optionApi.update, { body: { key: 'TagKeys', value: 'team' } });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const headers = { authorization: `Bearer sk-${scene.token.key}` };
    const before = collectors.map(({ spans }) => spans.length);
    for (const tags of ['team=front door', '']) {
      const sent = { ...headers, 'content-type': 'application/json', 'x-headgate-tags': tags };
      expect((await scene.chat({}, { headers: sent })).status).toBe(200);
    }
    const { logs } = await scene.books();
    await scene.close();
    for (const [index, { spans }] of collectors.entries()) {
      await expect
        .poll(() => {
          clock.now += 4000;
          return spans.length - (before[index] ?? 0);
        })
        .toBe(2);
      expect(spans.at(-2)?.attributes).toMatchObject({
        'gen_ai.provider.name': 'custom_channel',
        'gen_ai.request.model': 'gpt-4o',
        'headgate.tag.team': 'front door',
        'headgate.quota': logs[0]?.quota,
      });
    }
    const now = Math.floor(Date.now() / 1000);
    const query = { start_timestamp: now, end_timestamp: now, tag: 'team' };
    const { text } = await root.send(usageApi.exportCosts, { query });
    const lines = text.split('\r\n').filter((line) => line.includes(scene.user.username));
    expect(lines.map((line) => line.includes('"{""team"":""front door""}"'))).toEqual([false, true]);
    expect(lines.map((line) => line.includes(',1 requests to gpt-4o,'))).toEqual([true, true]);
  });

  it.each(['authorization', 'host=example.com', 'a b=c', 'x=1\r\ny: 2', 'x=', '__proto__'])(
    'rejects the headers %j',
    async (headers) => {
      const settings = { address: 'https://example.com', headers };
      const body = { kind: 'otlp', name: 'Odd', settings } as const;
      await expect(root.call(logExportApi.add, { body })).rejects.toThrow();
    },
  );

  it('appends the path for traces to the URL', () => {
    expect(otlpTracesUrl('https://a/otel/')).toBe('https://a/otel/v1/traces');
    expect(otlpTracesUrl('https://a/v1/traces')).toBe('https://a/v1/traces');
    expect(parseOtlpHeaders('')).toEqual({});
  });
});
