import { expect, test } from 'vitest';
import { createMigratedDatabase, createTestDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { storedConfiguration } from '../../testing/settings/stored-configuration.ts';

const channel = { type: 'OpenAI', key: { env: 'KEY' }, models: ['m'] };
const limit = { measure: 'requests_per_minute', amount: 1 };

/** Errors that are detected only during an apply, each after an entry that can be applied. */
const rejected = {
  'a limit of a user who is not there': { limits: { one: { ...limit, user: 'nobody' } } },
  'a limit of a channel that is not there': { limits: { one: { ...limit, channel: 'nowhere' } } },
  'a switch that needs other options': { options: { EmailVerificationEnabled: true } },
  'a channel without a key': { channels: { a: { type: 'OpenAI', models: ['m'] } } },
  'an address that is none': { channels: { a: { ...channel, base_url: 'ftp://x' } } },
  'more models of more groups than one channel may have': {
    channels: { a: { ...channel, models: names('m', 1000), groups: names('g', 101) } },
  },
  'the owner of the gateway': { users: { root: { role: 'common' } } },
  'a user who is called as another is': { users: { Carol: {}, carol: {} } },
  'more groups of a user than fit': { users: { carol: { groups: names('g', 300) } } },
  'more limits than there may be': {
    limits: Object.fromEntries(names('limit', 2001).map((name) => [name, limit])),
  },
} satisfies Record<string, object>;

function names(start: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${start}${index}`);
}

test('[A55.6] plan rejects a file with the same message as apply, and nothing is changed', async () => {
  await using database = await createMigratedDatabase();
  using scene = new ConfigFileFixture(database);
  scene.variables['KEY'] = 'sk-one';
  scene.write({ groups: { vip: 0.5 } });
  await scene.apply();
  const before = await storedConfiguration(database);
  const messageOf = (act: Promise<unknown>) => act.then(String, ({ message }: Error) => message);
  for (const [name, file] of Object.entries(rejected)) {
    scene.write({ ...file, groups: { vip: 0.25 } });
    const planned = await messageOf(scene.plan());
    expect(planned, name).toMatch(/^headgate.yaml:\d+: /);
    expect(await messageOf(scene.apply()), name).toBe(planned);
    expect(await storedConfiguration(database), name).toEqual(before);
  }
});

test('plan rejects an invalid users.root before the first start', async () => {
  await using database = await createTestDatabase();
  using scene = new ConfigFileFixture(database);
  scene.write({ users: { root: {} } });
  await expect(scene.plan()).rejects.toThrow(/^headgate.yaml:2: users.root was rejected: /);
});
