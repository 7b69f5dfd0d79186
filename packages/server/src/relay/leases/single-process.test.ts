import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { requestNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

test('a single process leases nothing', async () => {
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()] });
  expect((await requestNode(app, scene)).status).toBe(200);
  expect(await app.database.selectFrom('leases').selectAll().execute()).toEqual([]);
  await scene.close();
});
