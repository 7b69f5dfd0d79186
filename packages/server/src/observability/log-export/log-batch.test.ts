import { describe, expect, it } from 'vitest';
import { sampleHour, sampleLog } from '../../testing/records/sample-logs.ts';
import { firstBatch } from './log-batch.ts';

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
