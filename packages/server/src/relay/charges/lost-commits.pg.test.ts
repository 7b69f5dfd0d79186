import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { CommitProxy } from '../../testing/database/commit-proxy.ts';
import { balancedLedger, expectChargeWrittenAgain } from '../../testing/database/lost-commit-fixture.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

test.each(['response', 'commit'] as const)(
  '[A9.4] charges and logs a request once when the connection breaks at a commit and its %s is lost',
  async (lost) => {
    await using base = await startTestApp();
    const { databaseUrl = '' } = base.location;
    await using proxy = await CommitProxy.start(databaseUrl);
    const location = { ...base.location, databaseUrl: proxy.url };
    await using app = await startTestApp({ beside: { ...base, location } });
    const scene = await relayFixture(app, { upstreams: [completion()] });
    expect((await scene.chat()).status).toBe(200);
    const losing = proxy.lose(lost);
    expect((await scene.chat()).status).toBe(200);
    await losing;
    expect(proxy.losses).toBe(1);
    const { user, logs, drift } = await scene.books();
    expect(user).toMatchObject({ used_quota: 2 * plainPrice, request_count: 2 });
    expect([logs.length, drift]).toEqual([2, 0]);
    expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balancedLedger);
    await scene.close();
  },
);

/** Uses the ids of the lost transactions for other writes. */
async function writeMuch(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let count = 0; count < 200; count += 1) await client.query('select txid_current()');
  await client.end();
}

test('[A9.7] writes a commit again that the database lost in a crash, after other writes', () =>
  expectChargeWrittenAgain(writeMuch));
