import { channelApi, type channelUpdate } from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { queryDatabase } from '../../testing/commands/import-fixture.ts';
import { LockedRows } from '../../testing/database/locked-rows.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { addressOf, runFile, startServer } from '../../testing/process/program.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const channel = { type: 'OpenAI', key: { env: 'KEY' }, models: ['m'] };
const fileOf = (priority: number) => ({
  channels: { one: { ...channel, priority }, two: { ...channel, priority }, three: { ...channel, priority } },
});

/** A gateway with three unmanaged channels, and a file that contains their names. */
async function useScene() {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const root = await app.signedIn('root', '123456');
  const scene = new ConfigFileFixture(app);
  onTestFinished(() => scene[Symbol.dispose]());
  scene.variables['KEY'] = 'sk-one';
  scene.write(fileOf(0));
  await scene.apply();
  scene.write('groups: {}');
  await scene.apply();
  const rows = await root.call(channelApi.list, { query: {} });
  const idOf = (name: string) => rows.find((row) => row.name === name)?.id ?? 0;
  const change = (name: string, fields: Omit<z.input<typeof channelUpdate>, 'id'>) =>
    root.send(channelApi.update, { body: { id: idOf(name), ...fields } });
  const priorities = async () =>
    Object.fromEntries(
      (await root.call(channelApi.list, { query: {} })).map(({ name, priority }) => [name, priority] as const),
    );
  return { app, root, scene, change, priorities, idOf };
}

test('[A55.8] a concurrent change by an admin is overwritten by the file', async () => {
  const { app, scene, change, priorities, idOf } = await useScene();
  scene.write(fileOf(0));
  // The admin's change has passed the check that the channel is not managed, but is not committed yet.
  await using held = await LockedRows.by(app, `select * from abilities where channel_id = ${idOf('one')} for update`);
  const changing = change('one', { priority: 9 });
  await held.untilWaitedFor();
  const applying = scene.apply();
  await held.untilWaitedFor('advisory');
  await held.release();
  expect((await changing).body).toMatchObject({ success: true });
  expect(await applying).toContain('    priority: 9 → 0');
  expect(await priorities()).toEqual({ one: 0, two: 0, three: 0 });
  expect((await scene.plan()).differs).toBe(false);
});

test('[A55.8] no managed object can be changed while the file is being applied', async () => {
  const { app, scene, change, priorities, idOf } = await useScene();
  scene.write({ channels: { ...fileOf(0).channels, three: { ...channel, priority: 5 } } });
  await using held = await LockedRows.by(app, `select * from channels where id = ${idOf('three')} for update`);
  const applying = scene.apply();
  await held.untilWaitedFor();
  const { status, body } = await change('one', { priority: 9 });
  expect(status).toBe(409);
  expect(body).toMatchObject({ success: false, message: expect.stringContaining('is being applied') });
  await held.release();
  await applying;
  expect(await priorities()).toEqual({ one: 0, two: 0, three: 5 });
});

test('[A55.8] an apply that hits a deadlock is retried and succeeds', async () => {
  const { app, scene, priorities, idOf } = await useScene();
  scene.write(fileOf(5));
  const rowOf = (name: string) => `select * from channels where id = ${idOf(name)} for update`;
  // The longer timeout of this transaction makes the apply detect the deadlock first.
  await using held = await LockedRows.by(app, `set deadlock_timeout = '10s'; ${rowOf('two')}`);
  const applying = scene.apply();
  await held.untilWaitedFor();
  await held.hold(rowOf('one')).catch(() => undefined);
  await held.release();
  await applying;
  expect(await priorities()).toEqual({ one: 5, two: 5, three: 5 });
});

test('[A55.9] a killed apply changes nothing, and the next one succeeds', async () => {
  const { app, scene, priorities, idOf } = await useScene();
  scene.write({ groups: { fresh: 0.5 }, ...fileOf(7) });
  await using held = await LockedRows.by(app, `select * from channels where id = ${idOf('three')} for update`);
  const { databaseUrl = '', dataDir } = app.location;
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, CONFIG_FILE: scene.path, KEY: 'sk-one' };
  {
    await using program = runFile('apply.ts', [], { environment });
    await held.untilWaitedFor();
    program.process.kill('SIGKILL');
    expect(await program.exit).toMatchObject({ signal: 'SIGKILL', stdout: '' });
  }
  await held.release();
  expect(await priorities()).toEqual({ one: 0, two: 0, three: 0 });
  expect((await scene.plan()).lines).toContain('+ group "fresh"');
  await scene.apply();
  expect(await priorities()).toEqual({ one: 7, two: 7, three: 7 });
});

test('[A55.9] three nodes that start together with the same file create everything once', async () => {
  await using testDatabase = await createTestDatabase();
  using scene = new ConfigFileFixture(testDatabase);
  scene.variables['KEY'] = 'sk-one';
  scene.write({
    ...fileOf(1),
    users: { carol: { initial_quota: 500 } },
    limits: { slow: { measure: 'requests_per_minute', amount: 5 } },
  });
  const environment = {
    ...testDatabase.environment,
    SECRET_KEY: 'a key for all of the nodes',
    CONFIG_FILE: scene.path,
  };
  const nodes = [1, 2, 3].map(() => startServer({ ...environment, KEY: 'sk-one' }));
  try {
    await Promise.all(nodes.map(addressOf));
    const stored = await queryDatabase(testDatabase, async (database) => ({
      channels: await database.selectFrom('channels').select('name').orderBy('name').execute(),
      limits: await database.selectFrom('limit_rules').select('note').execute(),
      users: await database.selectFrom('users').select(['username', 'quota']).where('role', '=', 1).execute(),
      marks: await database.selectFrom('managed_things').select('name').execute(),
    }));
    expect(stored).toMatchObject({
      channels: [{ name: 'one' }, { name: 'three' }, { name: 'two' }],
      limits: [{ note: 'slow' }],
      users: [{ username: 'carol', quota: 500 }],
    });
    expect(stored.marks).toHaveLength(5);
  } finally {
    for (const node of nodes) await node[Symbol.asyncDispose]();
  }
});
