import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { channelApi } from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function useScene() {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  scene.variables['KEY'] = 'sk-one';
  return { database, scene };
}

const nothing = { lines: ['No changes. The gateway matches the file.'], differs: false };
const channel = { type: 'OpenAI', key: { env: 'KEY' }, models: ['gpt-4o'] };

test('merges included files, and errors name the file and line', async () => {
  const { scene } = await useScene();
  scene.write({ include: ['channels.yaml', 'users.yaml'], options: { RetryTimes: 2 } });
  scene.write({ channels: { main: channel } }, 'channels.yaml');
  scene.write({ users: { alice: {} }, options: { SystemName: 'Ours' } }, 'users.yaml');
  expect((await scene.apply()).at(-2)).toMatch(/^2 to create, 2 to change/);
  expect(await scene.plan()).toEqual(nothing);
  const rejects = (message: string) => expect(scene.plan()).rejects.toThrow(message);
  scene.write('channels:\n  main: { type: nowhere }\n', 'channels.yaml');
  await rejects('channels.yaml:2: channels.main.type must be the name or id of a channel type.');
  scene.write('options:\n  RetryTimes: 3\n', 'channels.yaml');
  await rejects('channels.yaml:2: options.RetryTimes is also in headgate.yaml.');
  scene.write({ include: ['users.yaml'] }, 'channels.yaml');
  await rejects('channels.yaml:1: include is only allowed in the main file.');
  scene.write({ include: ['missing.yaml'] });
  await rejects('missing.yaml cannot be read (ENOENT).');
});

test.each([
  ['../outside.yaml', ''],
  ['/etc/hostname', ''],
  ['link.yaml', ' through a link'],
])('[A55.12] rejects the include %s, which leads outside the folder%s', async (included) => {
  const { scene } = await useScene();
  symlinkSync('/etc/hostname', join(scene.folder, 'link.yaml'));
  scene.write({ include: [included] });
  const message = `The included file ${included} is outside the folder of the configuration file.`;
  await expect(scene.plan()).rejects.toThrow(message);
});

test(`replaces \${variables} in values, from the file or the environment`, async () => {
  const { database, scene } = await useScene();
  scene.variables['HOST_NAME'] = 'eu.example.com';
  scene.write({
    variables: { host: { env: 'HOST_NAME' }, retries: 3, stage: { env: 'NOT_SET', default: 'test' } },
    options: { RetryTimes: `\${retries}`, SystemName: `Gateway \${stage} $\${stage}` },
    channels: { main: { ...channel, base_url: `https://\${host}/v1` } },
  });
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
  await using app = await startTestApp({ on: database });
  const [row] = await (await app.as('root')).call(channelApi.list, { query: {} });
  expect(row).toMatchObject({ name: 'main', base_url: 'https://eu.example.com/v1' });
  scene.write(`variables: { a: 1 }\noptions:\n  SystemName: \${b}\n`);
  await expect(scene.plan()).rejects.toThrow(
    `headgate.yaml:3: options.SystemName uses \${b}, which is not in variables.`,
  );
});

test(`keeps \${text} unchanged in a file without variables`, async () => {
  const { scene } = await useScene();
  scene.write({ options: { Footer: `\${x}` } });
  await scene.apply();
  expect((await scene.plan()).differs).toBe(false);
});

test('renames a channel, a user and a limit instead of creating new ones', async () => {
  const { database, scene } = await useScene();
  const limit = { measure: 'requests_per_minute', amount: 5 };
  scene.write({ channels: { old: channel }, users: { ann: {} }, limits: { slow: { user: 'ann', ...limit } } });
  await scene.apply();
  const idsOf = async () => {
    await using app = await startTestApp({ on: database });
    const of = (table: 'channels' | 'users' | 'limit_rules') =>
      app.database.selectFrom(table).select('id').orderBy('id').execute();
    return [await of('channels'), await of('users'), await of('limit_rules')];
  };
  const before = await idsOf();
  const renamed = {
    channels: { new: { ...channel, previous_name: 'old' } },
    users: { anna: { display_name: 'ann', previous_name: 'ann' } },
    limits: { slower: { user: 'anna', previous_name: 'slow', ...limit } },
  };
  scene.write(renamed);
  expect((await scene.plan()).lines).toEqual(
    expect.arrayContaining(['~ channel "new"', '    name: "old" → "new"', '~ user "anna"', '~ limit "slower"']),
  );
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual(nothing);
  expect(await idsOf()).toEqual(before);
});

test('validates a file without a database and without its secrets', async () => {
  const { scene } = await useScene();
  scene.write({
    channels: { main: { ...channel, key: { env: 'NOT_HERE' } }, more: { ...channel, key: { file: 'x' } } },
  });
  expect(scene.validate()).toEqual(['headgate.yaml is valid.']);
  scene.write({ channels: { main: { ...channel, key: 'sk-plain' } } });
  expect(() => scene.validate()).toThrow('channels.main.key must be { env: NAME } or { file: path }.');
});

test('prints a plan as JSON without secrets', async () => {
  const { scene } = await useScene();
  scene.write({ channels: { main: channel }, options: { RetryTimes: 2 } });
  const { lines, differs } = await scene.plan({ isJson: true });
  expect(differs).toBe(true);
  const plan = JSON.parse(lines.join('\n')) as { changes: readonly unknown[] };
  expect(plan).toMatchObject({ differs: true, summary: { create: 1, change: 1, adopt: 0, delete: 0, release: 0 } });
  expect(plan.changes).toContainEqual({
    action: 'change',
    kind: 'option',
    name: 'RetryTimes',
    fields: [{ field: 'value', before: expect.anything(), after: expect.anything() }],
  });
  expect(lines.join()).toContain('"field": "key"');
  expect(lines.join()).not.toContain('sk-one');
});
