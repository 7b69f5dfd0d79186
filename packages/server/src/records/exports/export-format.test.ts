import { expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { exportLogFile } from '../../testing/records/log-file.ts';
import { localTimeFormatter } from './export-format.ts';

test('[A32.5] writes a time outside the date range as a number', () => {
  const write = localTimeFormatter('Asia/Shanghai');
  const times = [0, 8_640_000_000_001, -8_640_000_000_001, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, 3600];
  expect(times.map(write)).toEqual([
    '1970-01-01 08:00:00',
    '8640000000001',
    '-8640000000001',
    '9007199254740991',
    'Infinity',
    '1970-01-01 09:00:00',
  ]);
});

test('[A32.5] an export of logs with a start time outside the date range is complete', async () => {
  await using stored = await createMigratedDatabase();
  const { text } = await exportLogFile(stored.location, { start_timestamp: Number.MAX_SAFE_INTEGER });
  expect(text.trimEnd().split('\r\n').at(-1)).toMatch(/^Export range,9007199254740991 – .*,0 of 0 rows$/);
});
