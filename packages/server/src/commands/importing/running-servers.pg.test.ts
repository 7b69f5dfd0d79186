import { sessionApi, statusApi, userApi } from '@headgate/contract';
import { done, roleChunk, StubUpstream, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { importFrom, sourceKey, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { LockedRows } from '../../testing/database/locked-rows.ts';
import { runFile } from '../../testing/process/program.ts';
import { startThreeNodes } from '../../testing/process/two-nodes.ts';
import { currentRollups, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const owner = { id: 1, username: 'owner', role: 100, password: sourcePassword.fastPasswordHash };

const send = (node: Pick<TestApp, 'url'>, number: number) =>
  fetch(`${node.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${sourceKey(number)}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o',
      max_tokens: 10,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    }),
  });

/** Exceeds the limit of failed attempts per minute and address. */
const manyTries = 70;
const manyLogs = 7000;

describe('import while servers are running', async () => {
  const { nodes, first, stack } = await startThreeNodes();
  const upstream = await StubUpstream.start(stream([roleChunk, textChunk('Hello'), stop, usageEvent, done]));
  stack.defer(() => upstream.close());
  afterAll(() => stack.disposeAsync());

  test('[A60.1] when the command reports success, every node serves the imported data, including keys that were rejected as unknown before', async () => {
    using source = new SourceDatabase('new-api');
    source.add('users', owner, { id: 5, username: 'alice', quota: 1_000_000_000, used_quota: manyLogs, group: 'vip' });
    source.add('tokens', { id: 3, user_id: 5, key: sourceKey(3) }, { id: 4, user_id: 5, key: sourceKey(4) });
    source.add('channels', { id: 6, type: 60, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o', group: 'vip' });
    source.add(
      'options',
      { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
      { key: 'SystemName', value: 'Moved' },
    );
    source.run(`insert into logs (id, user_id, created_at, type, username, model_name, quota)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${manyLogs})
      select i, 5, 1760000000 + i, 2, 'alice', 'gpt-4o', 1 from n`);
    for (const node of nodes) expect((await send(node, 3)).status).toBe(401);
    // Repeated if the minute ended in the meantime.
    const tryMany = async () => {
      await Promise.all(Array.from({ length: manyTries }, (_, index) => send(first, 100 + index)));
      return (await send(first, 4)).status;
    };
    await expect.poll(tryMany).toBe(429);

    const { dataDir, databaseUrl = '' } = first.location;
    await using program = runFile('import.ts', ['--from', source.path, '--logs-since', '2025-01-01'], {
      environment: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl },
    });
    await program.line(/^Import finished/);
    // Logs may still be imported page by page at this point.
    for (const node of nodes) {
      for (const number of [3, 4]) {
        const response = await send(node, number);
        expect({ status: response.status, text: await response.text() }).toMatchObject({
          status: 200,
          text: expect.stringContaining('Hello'),
        });
      }
      expect((await node.client().call(statusApi.status)).system_name).toBe('Moved');
    }
    expect(await program.exit).toMatchObject({ code: 0, stderr: '' });
    const { username } = await first.client().call(sessionApi.login, {
      body: { username: 'owner', password: sourcePassword.text },
    });
    expect(username).toBe('owner');
    const { database } = first;
    const charged = async () => JSON.stringify((await rollupsOfLogs(database)).usage_days);
    // Half of the plain price, because the group's ratio was imported too.
    await expect.poll(charged).toContain(`"quota":${6 * 38}`);
    expect(await currentRollups(database)).toEqual(await rollupsOfLogs(database));
    expect(await checkStoredLedger(first.location)).toMatchObject({ drift: 0, log_drift: 0 });
  });

  test('[A60.1] the command names a server that has not confirmed the imported data, with instructions', async () => {
    using source = new SourceDatabase('one-api');
    source.add('users', { id: 7, username: 'carol' }).add('tokens', { id: 7, user_id: 7, key: sourceKey(7) });
    // Messages between these two nodes are delayed.
    const lines = await importFrom(source, first, { as: 'second', nodesPatienceMs: 0 });
    expect(lines.at(-2)).toBe('Import finished.');
    expect(lines.at(-1)).toMatch(
      /^These nodes have not confirmed the imported data yet; restart them if they do not serve it: (first, )?second, third\.$/,
    );
  });
});

test('[A60.2] a session of the replaced super admin that started during the import is ended', async () => {
  await using app = await startTestApp();
  using source = new SourceDatabase('one-api').add('users', owner);
  await using held = await LockedRows.by(app, 'select 1 from users where role = 100 for no key update');
  const importing = importFrom(source, app).then(
    () => 'it ended well',
    (error: Error) => error.message,
  );
  await held.untilWaitedFor();
  const intruder = await app.signedIn('root', '123456');
  await held.release();
  expect(await importing).toBe('it ended well');
  await expect(intruder.call(userApi.self)).rejects.toThrow();
  expect(await app.database.selectFrom('sessions').selectAll().execute()).toEqual([]);
});
