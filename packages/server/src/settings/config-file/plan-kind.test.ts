import { planApi } from '@headgate/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function useScene() {
  const database = await createMigratedDatabase();
  onTestFinished(() => database.drop());
  const scene = new ConfigFileFixture(database);
  onTestFinished(() => scene[Symbol.dispose]());
  return { database, scene };
}

const basic = { price: 990, days: 30, windows: [{ period: 'day', amount: 1000 }] };
const pro = {
  price: 2900,
  currency: 'eur',
  days: 30,
  windows: [
    { period: 'hours', hours: 5, amount: 500 },
    { period: 'week', amount: 5000 },
  ],
  models: ['gpt-5*', 'claude-*'],
  upgrade_group: 'vip',
};

const nothing = { lines: ['No changes. The gateway matches the file.'], differs: false };

test('plans are created, changed, renamed and pruned, and are read-only in the console', async () => {
  const { database, scene } = await useScene();
  scene.write({ plans: { Basic: basic, Pro: pro } });
  expect((await scene.plan()).lines).toContain('    windows: "5 hours 500, week 5000"');
  await scene.apply();
  expect(await scene.plan()).toEqual(nothing);
  scene.write({ plans: { Business: { ...pro, price: 3900, previous_name: 'Pro' } } });
  expect((await scene.plan({ isPruning: true })).lines).toEqual(
    expect.arrayContaining(['    price: 2900 → 3900', '- plan "Basic"']),
  );
  await scene.apply({ isPruning: true });
  expect(await scene.plan({ isPruning: true })).toEqual({ ...nothing, lines: [expect.any(String)] });
  await using app = await startTestApp({ on: database });
  const root = await app.signedIn('root', '123456');
  const plans = await root.call(planApi.list);
  expect(plans).toMatchObject([{ name: 'Business', price: 3900, models: 'gpt-5*,claude-*', upgrade_group: 'vip' }]);
  const id = plans[0]?.id ?? 0;
  for (const rejected of [
    root.send(planApi.update, { body: { id, price: 1 } }),
    root.send(planApi.remove, { params: { id } }),
  ])
    expect((await rejected).body).toMatchObject({
      success: false,
      message: expect.stringContaining('managed by the configuration file'),
    });
});

test.each([
  ['no windows', { windows: [] }],
  ['hours of a daily window', { windows: [{ period: 'day', hours: 5, amount: 1 }] }],
  ['an unknown currency', { currency: 'doge' }],
  ['a negative price', { price: -1 }],
])('a plan with %s is rejected', async (_, terms) => {
  const { scene } = await useScene();
  scene.write({ plans: { Bad: { ...basic, ...terms } } });
  await expect(scene.plan()).rejects.toThrow(/plans\.Bad/);
});
