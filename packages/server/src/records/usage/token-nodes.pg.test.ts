import { expect, test } from 'vitest';
import { afterStatements, once } from '../../testing/database/between-statements.ts';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { everybody } from '../../testing/records/shared-token-names.ts';
import { afterSamples, counted, expectTold } from '../../testing/records/token-name-answers.ts';
import { packerOf } from '../../testing/records/usage-packer.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { LogListRepository } from '../logs/log-list-repository.ts';
import { LogOwnerRepository } from '../logs/log-owner-repository.ts';
import { TokenPackRepository } from './token-pack-repository.ts';
import { UsagePackRepository } from './usage-pack-repository.ts';
import { questionOf } from './usage-question.ts';
import { UsageRepository } from './usage-repository.ts';
import { UsageService } from './usage-service.ts';

const hour = 3600;

/** Packs until there is nothing left to do. */
async function packAll({ database }: TestApp): Promise<void> {
  for (let pass = 0; pass < 3; pass += 1) await packerOf(database).pack(afterSamples);
  expect(await new TokenPackRepository(database).stale(afterSamples)).toEqual([]);
}

test('[A58.4] a node that forgets hours without logs takes nothing from one that adds up an hour that logs were just brought into', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, everybody('default', sampleHour + 9 * hour));
  await packAll(app);
  const bring = once(async () => {
    await writeLogs(app.database, everybody('default'));
    await packAll(app);
  });
  await new TokenPackRepository(afterStatements(app.database, 'DeleteQueryNode', 'token_packs', bring)).stale(
    afterSamples,
  );
  expect(await counted(app, 'default')).toMatchObject({ logs: 120 });
  await expectTold(app, 'default');
});

test('[A58.4] who asks for a name is told of one moment, whatever is logged and added up before he has the answer', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, [...everybody('default'), ...everybody('default', sampleHour + hour)]);
  await packAll(app);
  const before = await counted(app, 'default');
  const write = once(async () => {
    await writeLogs(app.database, everybody('default', sampleHour + 100));
    await packAll(app);
  });
  const logs = new LogListRepository(afterStatements(app.database, 'SelectQueryNode', 'log_owners', write));
  const within = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const { total } = await logs.page({ exact: { token_name: 'default' }, within }, { p: 0, size: 10 });
  expect(total).toBe(before.logs);
  expect(await counted(app, 'default')).toMatchObject({ logs: before.logs + 60 });
  await expectTold(app, 'default');
});

test('[A58.4] usage of a name is of one moment, also when it becomes the name of more users meanwhile', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, everybody('rare').slice(0, 50));
  const write = once(() => writeLogs(app.database, everybody('rare').slice(49)));
  const database = afterStatements(app.database, 'SelectQueryNode', 'log_owners', write);
  const usage = new UsageService({
    sums: new UsageRepository(database),
    packs: new UsagePackRepository(database),
    owners: new LogOwnerRepository(database),
  });
  const time = { start_timestamp: sampleHour, end_timestamp: afterSamples, zone: 'UTC', top: 5 };
  const others = { columns: '', measure: 'quota', model_name: '', group: '' } as const;
  const ask = () => usage.read(questionOf({ ...time, ...others, rows: 'model', token_name: 'rare' }));
  expect((await ask()).total.requests).toBe(50);
  expect((await ask()).total.requests).toBe(61);
});
