import { logApi, logType, usageApi } from '@headgate/contract';
import { expect } from 'vitest';
import { isRequestLogType } from '../../records/logs/hours.ts';
import type { TestApp } from '../test-app.ts';
import { sampleHour } from './sample-logs.ts';

/** A time after all sample logs. */
export const timeAfterSamples = sampleHour + 30 * 86_400;

interface TokenNameResults {
  readonly logs: number;
  readonly consumed: number;
  readonly requests: number;
  readonly quota: number;
}

/** Log list, statistics and usage of a token name, as returned by the API. */
async function readResults(app: TestApp, token_name: string): Promise<TokenNameResults> {
  const admin = await app.as('admin');
  const { total: logs } = await admin.page(logApi.list, { query: { token_name, p: 0, size: 10 } });
  const { quota: consumed } = await admin.call(logApi.stat, { query: { token_name } });
  const time = { start_timestamp: sampleHour - 86_400, end_timestamp: timeAfterSamples, zone: 'UTC', top: 5 };
  const { total } = await admin.call(usageApi.read, {
    query: { ...time, rows: 'model', columns: '', token_name },
  });
  return { logs, consumed, requests: total.requests, quota: total.quota };
}

/** The expected values, computed from the log rows. */
export async function tokenNameResultsFromLogs({ database }: TestApp, token_name: string): Promise<TokenNameResults> {
  const rows = await database
    .selectFrom('logs')
    .select(['type', 'quota'])
    .where('token_name', '=', token_name)
    .execute();
  const requests = rows.filter(({ type }) => isRequestLogType(type));
  const quotaOf = (some: typeof rows) => some.reduce((sum, { quota }) => sum + quota, 0);
  return {
    logs: rows.length,
    consumed: quotaOf(rows.filter(({ type }) => type === logType.consumption)),
    requests: requests.length,
    quota: quotaOf(requests),
  };
}

export async function expectTokenNameResults(app: TestApp, token_name: string): Promise<void> {
  expect(await readResults(app, token_name), token_name).toEqual(await tokenNameResultsFromLogs(app, token_name));
}
