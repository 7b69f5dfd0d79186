import { logApi, logType } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { afterStatements } from '../../testing/database/between-statements.ts';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { everybody } from '../../testing/records/shared-token-names.ts';
import { afterSamples, counted, expectTold } from '../../testing/records/token-name-answers.ts';
import { packerOf } from '../../testing/records/usage-packer.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { TokenPackRepository } from './token-pack-repository.ts';

const pack = ({ database }: TestApp) => packerOf(database).pack(afterSamples);

const late = ({ database }: TestApp, type: number) =>
  writeLogs(
    database,
    everybody('default', sampleHour + 100).map((log) => ({ ...log, type })),
  );

/** Deletes some logs and writes as many, of another name, into the same hour: it has as many as before. */
async function exchange(app: TestApp, type: number): Promise<void> {
  const admin = await app.as('admin');
  expect(await admin.call(logApi.clean, { query: { target_timestamp: sampleHour + 20 } })).toBe(20);
  const logs = everybody('second', sampleHour + 100).slice(0, 20);
  await writeLogs(
    app.database,
    logs.map((log) => ({ ...log, type, quota: 11 })),
  );
}

/** What may happen to an hour after it was read and before its sums are written. */
const events: readonly (readonly [string, (app: TestApp, type: number) => Promise<unknown>])[] = [
  ['logs come late', late],
  ['logs are deleted, and as many others come late', exchange],
  [
    'another node adds it up before as many others come late',
    async (app, type) => {
      await pack(app);
      await exchange(app, type);
    },
  ],
  [
    'as many others come late, and another node adds it up',
    async (app, type) => {
      await exchange(app, type);
      await pack(app);
    },
  ],
];

describe.each([
  ['of requests', logType.consumption],
  // Nothing but the claim says that another hour of the same length is meant.
  ['of anything else', logType.management],
])('[A58.4] while an hour %s is added up', (_, type) => {
  test.each(events)('%s: its names are told as its rows are', async (_name, happen) => {
    await using app = await startTestApp();
    await writeLogs(
      app.database,
      everybody('default').map((log) => ({ ...log, type })),
    );
    const { logs } = await counted(app, 'default');
    let asked = 0;
    // Names are asked for when stale hours are looked for, when those of the hour are noted, and once more after that.
    const disturbed = afterStatements(app.database, 'SelectQueryNode', 'shared_token_names', async () => {
      asked += 1;
      if (asked === 3) await happen(app, type);
    });
    await packerOf(disturbed).pack(afterSamples);
    expect(asked).toBe(3);
    expect((await counted(app, 'default')).logs).not.toBe(logs);
    for (const name of ['default', 'second']) await expectTold(app, name);
    await pack(app);
    expect(await new TokenPackRepository(app.database).stale(afterSamples)).toEqual([]);
    await expectTold(app, 'default');
  });
});
