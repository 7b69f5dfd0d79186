import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ledgerApi, logType } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { CommitProxy } from '../../testing/commit-proxy.ts';
import { faultyPostgres } from '../../testing/faulty-postgres.ts';
import { relayScene } from '../../testing/relay-scene.ts';
import { plainPrices, startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, offenders: [] };

test.each(['answer', 'commit'] as const)(
  '[A9.4] a connection that breaks at a commit, with its %s lost: the request is charged and written down once',
  async (lost) => {
    await using base = await startTestApp();
    const { databaseUrl = '' } = base.location;
    await using proxy = await CommitProxy.start(databaseUrl);
    const location = { ...base.location, databaseUrl: proxy.url };
    await using app = await startTestApp({ beside: { ...base, location } });
    const scene = await relayScene(app, { upstreams: [completion()] });
    expect((await scene.chat()).status).toBe(200);
    const losing = proxy.lose(lost);
    expect((await scene.chat()).status).toBe(200);
    await losing;
    expect(proxy.losses).toBe(1);
    const { user, logs, drift } = await scene.books();
    expect(user).toMatchObject({ used_quota: 2 * plainPrice, request_count: 2 });
    expect([logs.length, drift]).toEqual([2, 0]);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  },
);

/** Others use up the numbers that the lost transactions had. */
async function writeMuch(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let count = 0; count < 200; count += 1) await client.query('select txid_current()');
  await client.end();
}

describe('[A9.7] a database that crashed with a commit on the wire, and has lost it', () => {
  test.each([
    ['nobody wrote since', async () => undefined],
    ['others wrote since', writeMuch],
  ])('has the charge written again: %s', async (_, writeSince) => {
    await using postgres = await faultyPostgres();
    await using proxy = await CommitProxy.start(postgres.url);
    const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'));
    await using stack = new AsyncDisposableStack();
    stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
    await using app = await startTestApp({
      on: { location: { dataDir, databaseUrl: proxy.url } },
      options: plainPrices,
    });
    const scene = await relayScene(app, { upstreams: [completion()] });
    expect((await scene.chat()).status).toBe(200);
    await postgres.suffer('keep');
    // It comes back by itself, and what it says then it does not charge for: what is charged here would be lost with the rest.
    await expect.poll(async () => (await scene.chat({ max_tokens: 1_000_000 })).status).toBe(402);
    const before = (await scene.books()).user.request_count;
    const losing = proxy.lose('server');
    const asking = scene.chat();
    await losing;
    await postgres.suffer('lose');
    await writeSince(postgres.url);
    proxy.open();
    expect((await asking).status).toBe(200);
    const { user, logs: all, drift } = await scene.books();
    // What was refused is written down too, whenever that is.
    const logs = all.filter(({ type }) => type === logType.consumption);
    expect([logs.length, user.request_count]).toEqual([before + 1, before + 1]);
    expect([user.used_quota, drift]).toEqual([logs.length * plainPrice, 0]);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
    await scene.close();
  });
});

test('[A9.7] a standby that took over without the last commits: what was not confirmed is charged on it once, and nobody hangs', async () => {
  await using postgres = await faultyPostgres();
  await using proxy = await CommitProxy.start(postgres.url);
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  await using app = await startTestApp({ on: { location: { dataDir, databaseUrl: proxy.url } }, options: plainPrices });
  const scene = await relayScene(app, { upstreams: [completion()] });
  const ask = async () => (await scene.chat({ max_tokens: 10 })).status;
  for (let count = 0; count < 3; count += 1) expect(await ask()).toBe(200);
  const standby = await postgres.suffer('copy');
  // Confirmed by the first server, and lost with it.
  expect(await ask()).toBe(200);
  const losing = proxy.lose('server');
  const asking = ask();
  await losing;
  await postgres.suffer('failOver');
  proxy.open(standby);
  expect(await asking).toBe(200);
  // Before it is in touch again it says so, and nothing else.
  const statuses = new Set<number>();
  await expect.poll(async () => statuses.add(await ask()).has(200)).toBe(true);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const { user, logs, drift } = await scene.books();
  const charged = logs.filter(({ type }) => type === logType.consumption);
  expect([charged.length, user.request_count, user.used_quota, drift]).toEqual([5, 5, 5 * plainPrice, 0]);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});
