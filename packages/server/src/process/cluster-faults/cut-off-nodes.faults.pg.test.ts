import { ledgerApi } from '@headgate/contract';
import { completion, plainPrice } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { expectServedWithUnresponsiveNode } from '../../testing/database/silent-lock-holder.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { requestNode, statusOf, warmUpNode } from '../../testing/process/two-nodes.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, offenders: [] };
/** Points reserved for a request with at most 10 tokens on a low balance: (10 prompt tokens + 10 × 4) × 2.5. */
const held = 125;
const requests = 10;

test('[A9.9] a node disconnected during a transaction that locks a user does not block another node from serving that user', () =>
  expectServedWithUnresponsiveNode('cut off'));

test('[A1.9] quota leased by a frozen node returns to the other nodes, and the node does not spend it after it resumes', async () => {
  await using near = await startTestApp();
  const { dataDir, databaseUrl = '' } = near.location;
  const scene = await relayFixture(near, { upstreams: [completion()], quota: requests * held });
  await using server = startServer({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }, dataDir);
  const far = { url: await addressOf(server) };
  await warmUpNode(far, scene);
  server.process.kill('SIGSTOP');
  await expect.poll(() => statusOf(requestNode(near, scene))).toBe(200);
  server.process.kill('SIGCONT');
  // Both nodes request more than the remaining quota at the same time.
  const pending = [near, far].flatMap((node) =>
    Array.from({ length: 2 * requests }, () => statusOf(requestNode(node, scene))),
  );
  const statuses = await Promise.all(pending);
  expect(statuses.filter((status) => ![200, 402, 429, 503].includes(status))).toEqual([]);
  await expect.poll(() => statusOf(requestNode(far, scene))).toBeLessThan(500);
  const { user, logs, drift } = await scene.books();
  const served = logs.filter(({ type }) => type === 2).length;
  expect([user.used_quota, drift]).toEqual([served * plainPrice, 0]);
  expect(user.quota).toBeGreaterThanOrEqual(0);
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject(balanced);
  await scene.close();
});
