import { expect, inject, test } from 'vitest';
import {
  cleanBefore,
  day,
  expectUsageOfLogs,
  hour,
  later,
  someLogs,
  spans,
  unpackedHours,
} from '../../testing/records/packed-usage.ts';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { endingAfter, packerOf } from '../../testing/records/usage-packer.ts';
import { startTestApp } from '../../testing/test-app.ts';

test('usage equals the sum of the logs before, during and after packing, also when packing is interrupted', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, someLogs(120));
  await expectUsageOfLogs(app, spans[0]);
  for (const statements of [3, 60]) {
    await expect(packerOf(endingAfter(app.database, statements)).pack(later)).rejects.toThrow('killed');
    await expectUsageOfLogs(app, spans[1]);
  }
  await packerOf(app.database).pack(later);
  expect(await unpackedHours(app)).toBe(0);
  await expectUsageOfLogs(app, spans[0]);
});

if (inject('database') === 'sqlite') {
  test('usage equals the sum of the logs after late logs and cleaning, packed again or not', async () => {
    await using app = await startTestApp();
    await writeLogs(app.database, someLogs(200));
    await packerOf(app.database).pack(later);
    await writeLogs(app.database, someLogs(9));
    await expectUsageOfLogs(app, spans[1]);
    await cleanBefore(app, sampleHour + 9 * hour + 1234);
    await expectUsageOfLogs(app, spans[0]);
    await writeLogs(app.database, someLogs(5, sampleHour, day));
    await packerOf(app.database).pack(later);
    expect(await unpackedHours(app)).toBe(0);
    await expectUsageOfLogs(app, spans[0]);
    await cleanBefore(app, later);
    await expectUsageOfLogs(app, spans[1]);
    expect(await app.database.selectFrom('user_hours').selectAll().execute()).toEqual([]);
  });

  test('damaged packs are dropped when they are read or packed further, and made again', async () => {
    await using app = await startTestApp();
    await writeLogs(app.database, someLogs(120, sampleHour - (sampleHour % day), day));
    for (const damage of [{ names: '{"model_name":["a"' }, { quota: Uint8Array.of(1, 2, 8) }]) {
      await packerOf(app.database).pack(later);
      await app.database.updateTable('usage_packs').set(damage).execute();
      await expectUsageOfLogs(app, spans[0]);
      await packerOf(app.database).pack(later);
      expect(await unpackedHours(app)).toBe(0);
    }
    await expectUsageOfLogs(app, spans[0]);
  });
}
