import { describe, expect, it } from 'vitest';
import { sampleHour, sampleLog } from '../../testing/records/sample-logs.ts';
import { firstBatch, ndjsonOf } from './log-batch.ts';
import { buildOtlpBody } from './otlp-batch.ts';

const logAt = (created_at: number, id: number) => ({ ...sampleLog({ created_at }), id });

describe('a batch', () => {
  it('ends with the hour of its first log', () => {
    const batch = firstBatch([logAt(sampleHour, 1), logAt(sampleHour + 3599, 2), logAt(sampleHour + 3600, 3)]);
    expect(batch).toMatchObject({ key: 'logs/dt=2023-11-14/hour=22/000000000001.ndjson.gz', firstId: 1, lastId: 2 });
  });

  it.each([
    ['after the year 9999', 9e15, 'logs/dt=9999-12-31/hour=23/'],
    ['before 1970', -5, 'logs/dt=1970-01-01/hour=00/'],
  ])('[A73.3] has a valid file name for times %s', (_, time, folder) => {
    expect(firstBatch([logAt(time, 7)])?.key).toBe(`${folder}000000000007.ndjson.gz`);
  });
});

describe('[A73.5] a log that strict receivers would reject with its whole batch', () => {
  const half = '\ud83d';

  it('is sent as JSON without half surrogate pairs', () => {
    const rows = [{ ...logAt(sampleHour, 1), model_name: `a${half}`, content: 'plain 🎈' }];
    const text = ndjsonOf({ rows });
    expect(text).not.toMatch(/\\ud/);
    expect(JSON.parse(text)).toMatchObject({ model_name: 'a\ufffd', content: 'plain 🎈' });
  });

  it('is sent to collectors without half surrogate pairs, even if a long text is cut within a pair', () => {
    const rows = [`${half}x`, `${'x'.repeat(255)}🎈`, `${'x'.repeat(245)}🎈🎈🎈🎈`].map((model_name, id) => ({
      ...logAt(sampleHour, id + 1),
      model_name,
    }));
    expect(buildOtlpBody({ rows }, () => undefined)).not.toMatch(/\\ud/);
  });

  it.each([9e15, 1e18, -5, 0])('is sent to collectors with times of 64 bits, for the time %s', (time) => {
    const body = buildOtlpBody({ rows: [{ ...logAt(time, 1), request_id: '', elapsed_time: 2000 }] }, () => undefined);
    const times = [...(body ?? '').matchAll(/UnixNano":"([^"]*)"/g)].map(([, nanos]) => nanos ?? '');
    expect(times).toHaveLength(2);
    for (const nanos of times) {
      expect(nanos).toMatch(/^\d+$/);
      expect(BigInt(nanos) < 2n ** 63n).toBe(true);
    }
  });
});
