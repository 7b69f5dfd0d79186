import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { readLeases, requestNode, requestUntilServed } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const near = await useTestApp();

test('leases of a killed node expire, and other nodes can spend the quota', async () => {
  const scene = await relayFixture(near, { upstreams: [completion()], quota: 10_000 });
  const { dataDir, databaseUrl = '' } = near.location;
  await using far = startServer({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' }, dataDir);
  expect((await requestNode({ url: await addressOf(far) }, scene)).status).toBe(200);
  expect(await readLeases(near, scene)).toMatchObject([{ owner_id: scene.user.id, points: 10_000 }]);
  far.process.kill('SIGKILL');
  await far.exit;
  // How long this takes depends on the machine; requests may get a retryable error meanwhile.
  await requestUntilServed(near, scene, { max_tokens: Math.floor((10_000 - plainPrice) / 10) - 10 });
  expect(await readLeases(near, scene)).toHaveLength(1);
  expect((await scene.books()).drift).toBe(0);
  await scene.close();
});
