import { ledgerApi, logType, nodeApi, sessionApi, userApi } from '@headgate/contract';
import { ApiClient, completion, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { addressOf, startServer } from '../../testing/process/program.ts';
import { requestNode, warmUpNode } from '../../testing/process/two-nodes.ts';
import { waitUntilTotalsApplied } from '../../testing/records/applied-totals.ts';
import { currentRollups, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Points reserved for a request with at most 10 tokens on a low balance: (10 prompt tokens + 10 × 4) × 2.5. */
const held = 125;
const skewSeconds = 300;
const preload = new URL('../../testing/process/skewed-clock.ts', import.meta.url).href;

test('[A1.10] three nodes with clocks five minutes early, correct and five minutes late admit the exact number of requests, keep one ledger, and share limits and changes', async () => {
  await using near = await startTestApp({ config: { nodeName: 'right' } });
  const { dataDir, databaseUrl = '' } = near.location;
  await using early = startSkewed('early', -skewSeconds);
  await using late = startSkewed('late', skewSeconds);
  function startSkewed(name: string, skew: number) {
    const environment = {
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      NODE_NAME: name,
      LOG_LEVEL: 'silent',
      LOGIN_RATE_LIMIT: '6',
      CLOCK_SKEW_SECONDS: String(skew),
      NODE_OPTIONS: `--import=${preload}`,
    };
    return startServer(environment, dataDir);
  }
  const nodes = [near, { url: await addressOf(early) }, { url: await addressOf(late) }];

  // Quota for ten requests, plus one warm-up request per node.
  const opened = Promise.withResolvers<void>();
  let isGated = false;
  const respond: UpstreamHandler = async (response, request) => {
    if (isGated) await opened.promise;
    await completion()(response, request);
  };
  const scene = await relayFixture(near, { upstreams: [respond], quota: 10 * held + 3 * plainPrice });
  for (const node of nodes) await warmUpNode(node, scene);
  isGated = true;
  const requestCount = () => (scene.upstreams[0]?.received.length ?? 0) - 3;
  let rejected = 0;
  const pending = Array.from({ length: 60 }, async (_, index) => {
    const { status } = await requestNode(nodes[index % 3] ?? near, scene);
    if (status !== 200) rejected += 1;
    return status;
  });
  await expect.poll(() => requestCount() + rejected).toBe(60);
  expect(requestCount()).toBeLessThanOrEqual(10);
  opened.resolve();
  const statuses = await Promise.all(pending);
  // 503 if the request waited too long for the database.
  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  expect(statuses).toContain(429);
  const served = statuses.filter((status) => status === 200).length;
  expect(served).toBeGreaterThan(6);
  const { user, logs, drift } = await scene.books();
  const charged = logs.filter(({ type }) => type === logType.consumption);
  expect([charged.length, user.used_quota, drift]).toEqual([served + 3, (served + 3) * plainPrice, 0]);
  expect(user.quota).toBeGreaterThanOrEqual(0);
  // Verifies that the clocks were skewed.
  const minutes = new Set(charged.map(({ created_at }) => Math.round((created_at - nowInSeconds()) / skewSeconds)));
  expect([...minutes].sort()).toEqual([-1, 0, 1]);
  await waitUntilTotalsApplied(near);
  expect(await currentRollups(near.database)).toEqual(await rollupsOfLogs(near.database));
  expect(await scene.admin.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0, offenders: [] });

  // No node reports another as unresponsive.
  expect(await scene.admin.call(nodeApi.list)).toMatchObject([
    { name: 'early', is_silent: false },
    { name: 'late', is_silent: false },
    { name: 'right', is_silent: false },
  ]);

  // A session is valid on all nodes, and failed sign-ins are counted across nodes.
  const guess = async (url: string) =>
    (await new ApiClient(url).send(sessionApi.login, { body: { username: user.username, password: 'wrong' } })).status;
  const guesses: number[] = [];
  for (let count = 0; count < 8; count += 1) guesses.push(await guess(nodes[1 + (count % 2)]?.url ?? ''));
  expect(guesses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);

  // Changes apply on all nodes.
  await scene.admin.call(userApi.manage, { body: { username: user.username, action: 'disable' } });
  for (const node of nodes) await expect.poll(async () => (await requestNode(node, scene)).status).toBe(403);
  await scene.close();
});
