import { rmSync } from 'node:fs';
import { ledgerApi, logType } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { CommitProxy } from '../../testing/database/commit-proxy.ts';
import { faultyPostgres } from '../../testing/database/faulty-postgres.ts';
import { balancedLedger, expectChargeWrittenAgain } from '../../testing/database/lost-commit-fixture.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { makeTemporaryFolder } from '../../testing/temporary-folder.ts';
import { plainPrices, startTestApp } from '../../testing/test-app.ts';

test('[A9.7] writes a commit again that the database lost in a crash, if nothing else was written', () =>
  expectChargeWrittenAgain(async () => undefined));

test('[A9.7] writes an unconfirmed charge once to a standby that takes over without the last commits, and no request hangs', async () => {
  await using postgres = await faultyPostgres();
  await using proxy = await CommitProxy.start(postgres.url);
  const dataDir = makeTemporaryFolder('headgate-test-');
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  await using app = await startTestApp({ on: { location: { dataDir, databaseUrl: proxy.url } }, options: plainPrices });
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const send = async () => (await scene.chat({ max_tokens: 10 })).status;
  for (let count = 0; count < 3; count += 1) expect(await send()).toBe(200);
  const standby = await postgres.injectFault('copy');
  // Confirmed by the first server and lost when it fails.
  expect(await send()).toBe(200);
  const losing = proxy.lose('server');
  const pending = send();
  await losing;
  await postgres.injectFault('failOver');
  proxy.open(standby);
  expect(await pending).toBe(200);
  // Until the node is connected again, only one kind of error is expected.
  const statuses = new Set<number>();
  await expect.poll(async () => statuses.add(await send()).has(200)).toBe(true);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const { user, logs, drift } = await scene.books();
  const charged = logs.filter(({ type }) => type === logType.consumption);
  expect([charged.length, user.request_count, user.used_quota, drift]).toEqual([5, 5, 5 * plainPrice, 0]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balancedLedger);
  await scene.close();
});
