import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import { sampleHour, writeLogs } from '../../testing/records/sample-logs.ts';
import { everybody } from '../../testing/records/shared-token-names.ts';
import { afterSamples, expectTold } from '../../testing/records/token-name-answers.ts';
import { packerOf } from '../../testing/records/usage-packer.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { TokenPackRepository } from './token-pack-repository.ts';

const hour = 3600;

const oddNames: readonly string[] = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['%', '_', '\\', "it's", '"', ';--', '{"token_name":[]}'],
  ...['0', '-1', '1e3', 'null', 'default', 'Default', 'DEFAULT'],
  ...['\u{1f600}', 'e\u0301', '\u00e9', '\u0130', 'a\u2028b', '\u202eb', 'a\tb', 'x'.repeat(300)],
];

test('[A58.5] names of any characters are added up each on its own, and told as their rows are', async () => {
  await using app = await startTestApp();
  for (const [index, name] of oddNames.entries()) {
    // Each another number of logs, in two hours.
    await writeLogs(app.database, everybody(name, sampleHour));
    await writeLogs(app.database, everybody(name, sampleHour + hour).slice(index));
  }
  for (let pass = 0; pass < 2; pass += 1) await packerOf(app.database).pack(afterSamples);
  const shared = await app.database.selectFrom('shared_token_names').select('name').execute();
  expect(shared.map(({ name }) => name).sort()).toEqual([...oddNames].sort());
  for (const name of oddNames) await expectTold(app, name);
});

test('[A58.6] others get their turn while many names are looked at', async () => {
  await using app = await startTestApp();
  let turns = 0;
  let isLooking = true;
  const count = () => {
    turns += 1;
    if (isLooking) setImmediate(count);
  };
  setImmediate(count);
  const names = Array.from({ length: 5000 }, (_, index) => `name ${index}`);
  await new TokenPackRepository(app.database).noteShared(names);
  isLooking = false;
  expect(turns).toBeGreaterThanOrEqual(9);
});

test('[A58.6] many names of one hour take few statements', async () => {
  await using app = await startTestApp();
  const names = 3000;
  const logs = Array.from({ length: names }, (_, index) => ({
    created_at: sampleHour + 1,
    user_id: 1001 + (index % 40),
    username: `user${1001 + (index % 40)}`,
    token_name: `name ${index}`,
    quota: 3,
  }));
  for (let start = 0; start < names; start += 500) await writeLogs(app.database, logs.slice(start, start + 500));
  let asked = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await packerOf(app.database.withPlugin(counting)).pack(afterSamples);
  expect(asked).toBeLessThan(names / 50);
  expect(await app.database.selectFrom('shared_token_names').selectAll().execute()).toEqual([]);
  await expectTold(app, 'name 77');
});
