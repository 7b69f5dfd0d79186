import { expect, onTestFinished, test } from 'vitest';
import { ConfigFileScene } from '../testing/config-file-scene.ts';
import { asking } from '../testing/import-scene.ts';
import { createTestDatabase } from '../testing/test-database.ts';

async function useScene() {
  const place = await createTestDatabase();
  onTestFinished(() => place.drop());
  const scene = new ConfigFileScene(place);
  onTestFinished(() => scene[Symbol.dispose]());
  scene.variables['KEY'] = 'sk-one';
  return { place, scene };
}

const channel = { type: 'OpenAI', key: { env: 'KEY' }, models: ['m'] };
const limit = { measure: 'requests_per_minute', amount: 1 };

/** What only the making finds out, each after something that can be made. */
const refused = {
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

test.each(Object.entries(refused))('[A55.6] a plan refuses %s in the words of the apply', async (_, file) => {
  const { place, scene } = await useScene();
  scene.write({ groups: { vip: 0.5 } });
  await scene.apply();
  const before = await stored(place);
  scene.write({ ...file, groups: { vip: 0.25 } });
  const words = (act: Promise<unknown>) => act.then(String, ({ message }: Error) => message);
  const planned = await words(scene.plan());
  expect(planned).toMatch(/^headgate.yaml:\d+: /);
  expect(await words(scene.apply())).toBe(planned);
  expect(await stored(place)).toEqual(before);
});

test('[A55.6] what a plan makes so as to judge it is nowhere afterwards', async () => {
  const { place, scene } = await useScene();
  scene.write({ channels: { old: channel }, users: { alice: {} }, groups: { vip: 0.5 } });
  await scene.apply();
  const before = await stored(place);
  scene.write({
    options: { RetryTimes: 4 },
    channels: { a: channel, b: { ...channel, enabled: false } },
    users: { carol: { role: 'admin', initial_quota: 500 } },
    limits: { one: { ...limit, user: 'carol', channel: 'a' } },
  });
  const { lines } = await scene.plan({ isPruning: true });
  expect(lines.at(-1)).toBe('4 to create, 1 to change, 0 to take over, 3 to delete, 0 to leave to the console.');
  expect(await stored(place)).toEqual(before);
  expect((await scene.apply({ isPruning: true })).slice(0, -1), 'what was planned is done').toEqual(lines);
});

test('a plan for a gateway that was never started says what its first start would say', async () => {
  const { scene } = await useScene();
  scene.write({ users: { root: {} } });
  await expect(scene.plan()).rejects.toThrow(/^headgate.yaml:2: users.root is refused: /);
});

/** All that an apply could have changed. */
const stored = (place: Parameters<typeof asking>[0]) =>
  asking(place, async (database) => ({
    options: await database.selectFrom('options').selectAll().orderBy('key').execute(),
    channels: await database.selectFrom('channels').selectAll().orderBy('id').execute(),
    abilities: await database.selectFrom('abilities').selectAll().orderBy('channel_id').orderBy('model').execute(),
    users: await database.selectFrom('users').selectAll().orderBy('id').execute(),
    tokens: await database.selectFrom('tokens').selectAll().orderBy('id').execute(),
    limits: await database.selectFrom('limit_rules').selectAll().orderBy('id').execute(),
    marks: await database.selectFrom('managed_things').selectAll().orderBy('kind').orderBy('name').execute(),
    logs: await database.selectFrom('logs').selectAll().orderBy('id').execute(),
  }));
