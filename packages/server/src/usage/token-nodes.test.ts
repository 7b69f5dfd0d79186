import { logApi } from '@headgate/contract';
import type { KyselyPlugin } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { sampleHour, sampleNumbers, writeLogs } from '../testing/sample-logs.ts';
import { everybody, someLogOf } from '../testing/shared-token-names.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { afterSamples, counted, expectTold, told } from '../testing/token-name-answers.ts';
import { packerOf } from '../testing/usage-packer.ts';
import { TokenPackRepository } from './token-pack-repository.ts';

const hour = 3600;
const random = sampleNumbers(58);
const upTo = (most: number) => Math.floor(random() * most);

/** Packs until there is nothing left to do. */
async function packAll({ database }: TestApp): Promise<void> {
  for (let pass = 0; pass < 3; pass += 1) await packerOf(database).pack(afterSamples);
  expect(await new TokenPackRepository(database).stale(afterSamples)).toEqual([]);
}

/** A node that does something else right after it has deleted from a table for the first time. */
function afterDeletion(database: Database, table: string, work: () => Promise<void>): Database {
  const deletions = new WeakSet<object>();
  let isDone = false;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (node.kind === 'DeleteQueryNode' && JSON.stringify(node.from).includes(`"${table}"`)) deletions.add(queryId);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      if (deletions.has(queryId) && !isDone) {
        isDone = true;
        await work();
      }
      return result;
    },
  };
  return database.withPlugin(plugin);
}

test('[A58.4] a node that forgets hours without logs takes nothing from one that adds up an hour that logs were just brought into', async () => {
  await using app = await startTestApp();
  await writeLogs(app.database, everybody('default', sampleHour + 9 * hour));
  await packAll(app);
  let isBrought = false;
  const forgetting = afterDeletion(app.database, 'token_packs', async () => {
    isBrought = true;
    await writeLogs(app.database, everybody('default'));
    await packAll(app);
  });
  await new TokenPackRepository(forgetting).stale(afterSamples);
  expect(isBrought).toBe(true);
  await expectTold(app, 'default');
});

test('[A58.4] a name is told exactly at any moment while two nodes add up and logs of others are written', async () => {
  await using app = await startTestApp();
  const span = 12 * hour;
  const logs = Array.from({ length: 100 }, () => someLogOf(upTo, sampleHour, span));
  await writeLogs(app.database, [...everybody('default'), ...logs]);
  const expected = await counted(app, 'default');
  let isWriting = true;
  const others = async () => {
    for (let each = 0; each < 40; each += 1) {
      const log = { ...someLogOf(upTo, sampleHour, span), token_name: ['rare', ''][upTo(2)] ?? '' };
      await writeLogs(app.database, each % 10 === 9 ? everybody(`name ${each}`, sampleHour + upTo(span)) : [log]);
    }
    isWriting = false;
  };
  const packing = async () => {
    do await packerOf(app.database).pack(afterSamples);
    while (isWriting);
  };
  const reading = async () => {
    do expect(await told(app, 'default')).toEqual(expected);
    while (isWriting);
  };
  try {
    await Promise.all([others(), packing(), packing(), reading()]);
  } finally {
    // Whoever goes on while another has failed would go on for ever.
    isWriting = false;
  }
  await packAll(app);
  for (const name of ['default', 'second', 'rare', 'name 9']) await expectTold(app, name);
});

test('[A58.4] after a cleanup beside two nodes that add up, a name is told as its rows are', async () => {
  await using app = await startTestApp();
  const span = 20 * hour;
  const logs = Array.from({ length: 150 }, () => someLogOf(upTo, sampleHour, span));
  await writeLogs(app.database, [...everybody('default'), ...everybody('default', sampleHour + 5 * hour), ...logs]);
  const admin = await app.as('admin');
  for (const cleaned of [3 * hour + 77, 5 * hour + 30, 9 * hour]) {
    const clean = admin.call(logApi.clean, { query: { target_timestamp: sampleHour + cleaned } });
    const late = writeLogs(app.database, [
      ...everybody('default', sampleHour + cleaned).slice(0, 20),
      ...Array.from({ length: 20 }, () => someLogOf(upTo, sampleHour, span)),
    ]);
    const packing = [1, 2].map(() => packerOf(app.database).pack(afterSamples));
    await Promise.all([clean, late, ...packing]);
    await expectTold(app, 'default');
  }
  await packAll(app);
  await expectTold(app, 'default');
  await expectTold(app, 'second');
});
