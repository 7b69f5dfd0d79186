import { rmSync } from 'node:fs';
import { ledgerApi, logType } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { expect } from 'vitest';
import { relayFixture } from '../relay/relay-fixture.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { plainPrices, startTestApp } from '../test-app.ts';
import { CommitProxy } from './commit-proxy.ts';
import { faultyPostgres } from './faulty-postgres.ts';

/** Result of a ledger check in which nothing was lost or charged twice. */
export const balancedLedger = { drift: 0, log_drift: 0, offenders: [] };

/**
 * Crashes PostgreSQL during a commit so that the commit is lost, and expects the charge to be written again exactly
 * once.
 */
export async function expectChargeWrittenAgain(writeSince: (url: string) => Promise<void>): Promise<void> {
  await using postgres = await faultyPostgres();
  await using proxy = await CommitProxy.start(postgres.url);
  const dataDir = makeTemporaryFolder('headgate-test-');
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  await using app = await startTestApp({
    on: { location: { dataDir, databaseUrl: proxy.url } },
    options: plainPrices,
  });
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect((await scene.chat()).status).toBe(200);
  await postgres.injectFault('keep');
  // The server recovers by itself. The probe is rejected intentionally, because its charge would be lost with the
  // others.
  await expect.poll(async () => (await scene.chat({ max_tokens: 1_000_000 })).status).toBe(402);
  const before = (await scene.books()).user.request_count;
  const losing = proxy.lose('server');
  const pending = scene.chat();
  await losing;
  await postgres.injectFault('lose');
  await writeSince(postgres.url);
  proxy.open();
  expect((await pending).status).toBe(200);
  const { user, logs: all, drift } = await scene.books();
  // Rejected requests are logged too, so only consumption is compared.
  const logs = all.filter(({ type }) => type === logType.consumption);
  expect([logs.length, user.request_count]).toEqual([before + 1, before + 1]);
  expect([user.used_quota, drift]).toEqual([logs.length * plainPrice, 0]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balancedLedger);
  await scene.close();
}
