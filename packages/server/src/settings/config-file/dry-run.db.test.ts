import { expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { storedConfiguration } from '../../testing/settings/stored-configuration.ts';

const channel = { type: 'OpenAI', key: { env: 'KEY' }, models: ['m'] };
const limit = { measure: 'requests_per_minute', amount: 1 };

test('[A55.6] a plan leaves no trace of its dry run', async () => {
  await using database = await createMigratedDatabase();
  using scene = new ConfigFileFixture(database);
  scene.variables['KEY'] = 'sk-one';
  scene.write({ channels: { old: channel }, users: { alice: {} }, groups: { vip: 0.5 } });
  await scene.apply();
  const before = await storedConfiguration(database);
  scene.write({
    options: { RetryTimes: 4 },
    channels: { a: channel, b: { ...channel, enabled: false } },
    users: { carol: { role: 'admin', initial_quota: 500 } },
    limits: { one: { ...limit, user: 'carol', channel: 'a' } },
  });
  const { lines } = await scene.plan({ isPruning: true });
  expect(lines.at(-1)).toBe('4 to create, 1 to change, 0 to take over, 3 to delete, 0 to release to the console.');
  expect(await storedConfiguration(database)).toEqual(before);
  expect((await scene.apply({ isPruning: true })).slice(0, -1), 'what was planned is done').toEqual(lines);
});

test('[A55.6] a rejected plan and a rejected apply change nothing', async () => {
  await using database = await createMigratedDatabase();
  using scene = new ConfigFileFixture(database);
  scene.variables['KEY'] = 'sk-one';
  scene.write({ groups: { vip: 0.5 } });
  await scene.apply();
  const before = await storedConfiguration(database);
  scene.write({ groups: { vip: 0.25 }, channels: { a: channel }, limits: { one: { ...limit, user: 'nobody' } } });
  for (const command of [() => scene.plan(), () => scene.apply()])
    await expect(command()).rejects.toThrow(/^headgate.yaml:\d+: limits.one was rejected: /);
  expect(await storedConfiguration(database)).toEqual(before);
});
