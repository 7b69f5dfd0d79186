import type { Usage } from '@headgate/contract';
import { expect, test } from 'vitest';
import { ApiError } from '../../platform/errors/api-error.ts';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { createVariedLogs } from '../../testing/records/usage-results.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { UsageReader } from './usage-reader.ts';
import { UsageRepository } from './usage-repository.ts';
import { parseUsageCriteria } from './usage-request.ts';
import { UsageService } from './usage-service.ts';

const app = await useTestApp();
await writeLogs(app.database, createVariedLogs(100));

const send = (start_timestamp: number, zone = 'UTC') =>
  parseUsageCriteria({
    ...{ rows: 'user', columns: 'day', measure: 'quota', top: 5, zone, start_timestamp },
    ...{ end_timestamp: sampleHour + 3 * 86_400, model_name: '', token_name: '', group: '' },
  });

const unused = { read: (): Promise<Usage> => Promise.reject(new Error('not in the thread')) };

test('reads usage in a thread when a SQLite file has many logs', async () => {
  const service = new UsageService(new UsageRepository(app.database));
  const { location } = app;
  const reader = new UsageReader({ location, service: unused, lastLogId: async () => 100_001 });
  expect(await Promise.all([reader.read(send(sampleHour)), reader.read(send(sampleHour + 7200))])).toEqual([
    await service.read(send(sampleHour)),
    await service.read(send(sampleHour + 7200)),
  ]);
  await expect(reader.read(send(sampleHour, 'Mars/Phobos'))).rejects.toEqual(
    new ApiError('badInput', { detail: 'zone: Mars/Phobos' }),
  );
  await reader.close();
  // Each read starts a new thread.
  expect((await reader.read(send(sampleHour))).total.requests).toBeGreaterThan(0);
  await reader.close();
});

test('fails requests when the thread exits', async () => {
  const location = { ...app.location, dataDir: `${app.location.dataDir}/missing` };
  const reader = new UsageReader({ location, service: unused, lastLogId: async () => 100_001 });
  await expect(reader.read(send(sampleHour))).rejects.toThrow('Usage was not read.');
});

test('reads usage without a thread when there are few logs', async () => {
  const reader = new UsageReader({ location: app.location, service: unused, lastLogId: async () => 100_000 });
  await expect(reader.read(send(sampleHour))).rejects.toThrow('not in the thread');
});
