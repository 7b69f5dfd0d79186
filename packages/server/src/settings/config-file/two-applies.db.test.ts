import { expect, test } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';

/** A file with every kind of object, all with the same number. */
const fileOf = (number: number) => ({
  options: { RetryTimes: number, SystemName: `of ${number}` },
  groups: Object.fromEntries(['a', 'b', 'c'].map((name) => [name, number])),
  models: { 'my-model': { input: number } },
  channels: Object.fromEntries(
    ['one', 'two', 'three', 'four'].map((name) => [
      name,
      { type: 'OpenAI', key: { env: `KEY_${number}` }, models: [`m${number}`], priority: number },
    ]),
  ),
  users: { carol: { display_name: `of ${number}` } },
  limits: { slow: { measure: 'requests_per_minute', amount: number } },
});

test('two concurrent applies do not interleave: the result matches one of them', async () => {
  await using database = await createMigratedDatabase();
  using first = new ConfigFileFixture(database);
  using second = new ConfigFileFixture(database);
  for (const [index, scene] of [first, second].entries()) {
    Object.assign(scene.variables, { KEY_1: 'sk-one', KEY_2: 'sk-two' });
    scene.write(fileOf(index + 1));
  }
  for (let round = 0; round < 2; round += 1) {
    await Promise.all([first, second].map((scene) => scene.apply({ patienceMs: 60_000 })));
    const differing = await Promise.all([first, second].map(async (scene) => (await scene.plan()).differs));
    expect(differing.filter(Boolean)).toHaveLength(1);
  }
});
