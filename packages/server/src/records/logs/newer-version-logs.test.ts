import { logApi, logType } from '@headgate/contract';
import { expect, test } from 'vitest';
import { exportLogFile } from '../../testing/records/log-file.ts';
import { writeLogs } from '../../testing/records/sample-logs.ts';
import { startTestApp } from '../../testing/test-app.ts';

test('lists and exports a log with a reason added by a later version', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, [{ type: logType.failure, model_name: 'told-later' }, { model_name: 'told-before' }]);
  const later = { reason: 'of_a_later_version', ended_by: 'moon' } as never;
  await app.database.updateTable('logs').set(later).where('type', '=', logType.failure).execute();
  const admin = await app.as('admin');
  const logs = await admin.call(logApi.list, { query: {} });
  const listed = logs.filter(({ model_name }) => model_name.startsWith('told'));
  expect(listed.map(({ model_name, reason, ended_by }) => [model_name, reason, ended_by]).sort()).toEqual([
    ['told-before', '', ''],
    ['told-later', '', ''],
  ]);
  for (const format of ['csv', 'jsonl'] as const) {
    expect((await exportLogFile(app.location, {}, { format })).text, format).toContain('told-later');
  }
});
