import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { CommitProxy } from '../../testing/database/commit-proxy.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Timeouts of the other node, which may be slow without being disconnected. */
const patientLimits = { statementMs: 100_000, lockMs: 100_000, idleMs: 100_000 };

test('[A9.9] a node frozen during a transaction does not block the other, and its charge is stored once when it resumes', async () => {
  await using near = await startTestApp({ config: { databaseLimits: patientLimits } });
  await using proxy = await CommitProxy.start(near.location.databaseUrl ?? '');
  const scene = await relayFixture(near, { upstreams: [completion()] });
  const { dataDir } = near.location;
  await using server = startServer(
    { DATA_DIR: dataDir, DATABASE_URL: proxy.url, LOG_LEVEL: 'silent', DATABASE_IDLE_SECONDS: '2' },
    dataDir,
  );
  const far = { url: await addressOf(server) };
  await warmUpNode(near, scene);
  await warmUpNode(far, scene);
  const pulled = proxy.lose('network');
  const pending = requestNode(far, scene);
  await pulled;
  server.process.kill('SIGSTOP');
  for (let count = 0; count < 5; count += 1) expect((await requestNode(near, scene)).status).toBe(200);
  server.process.kill('SIGCONT');
  proxy.open();
  expect((await pending).status).toBe(200);
  const { user, logs, drift } = await scene.books();
  expect([logs.length, user.request_count]).toEqual([8, 8]);
  expect([user.used_quota, drift]).toEqual([8 * plainPrice, 0]);
  await scene.close();
});
