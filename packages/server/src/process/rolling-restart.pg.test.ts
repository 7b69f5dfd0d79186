import {
  completion,
  done,
  plainPrice,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { expect, test } from 'vitest';
import { expectRollingRestart } from '../testing/process/rolling-restart.ts';
import { requestNode, startTwoNodes, warmUpNode } from '../testing/process/two-nodes.ts';
import { relayFixture } from '../testing/relay/relay-fixture.ts';

test('restarts two nodes one after another under load without losing a request or charging one twice', () =>
  expectRollingRestart(2));

test('a node returns unused leased quota when it shuts down during a stream', async () => {
  const { near, far, stack } = await startTwoNodes();
  await using _nodes = stack;
  const rest = Promise.withResolvers<void>();
  const slow: UpstreamHandler = async (response, request) => {
    const { stream: isStream } = JSON.parse(request.text) as { stream?: boolean };
    if (!isStream) return completion()(response, request);
    await stream([textChunk('Hello')], 'stall')(response, request);
    await rest.promise;
    response.end([stop, usageEvent, done].join(''));
  };
  const scene = await relayFixture(near, { upstreams: [slow], quota: 10_000 });
  await warmUpNode(near, scene);
  const streamed = await requestNode(near, scene, { stream: true });
  await streamed.body?.getReader().read();
  const closed = near.app.close();
  await expect.poll(() => near.app.server.listening).toBe(false);
  expect((await requestNode(far, scene)).status).toBe(200);
  rest.resolve();
  await closed;
  const { user, drift } = await scene.books();
  expect([user.used_quota, drift]).toEqual([3 * plainPrice, 0]);
  await scene.close();
});
