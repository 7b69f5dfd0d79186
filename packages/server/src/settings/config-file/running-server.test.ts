import { expect, test } from 'vitest';
import { ConfigFileFixture } from '../../testing/settings/config-file-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

test('plan works on a SQLite file that a server is using, and apply does not', async () => {
  await using app = await startTestApp();
  using scene = new ConfigFileFixture(app);
  scene.write({ groups: { vip: 0.5 } });
  expect((await scene.plan()).lines).toContain('    ratio: 1 → 0.5');
  await expect(scene.apply()).rejects.toThrow(/^Another Headgate process uses the database file .*; stop it first/);
  expect(await app.database.selectFrom('managed_things').selectAll().execute()).toEqual([]);
});
