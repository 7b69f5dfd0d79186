import { channelKeyApi, channelStatus, optionApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { requestNode, startTwoNodes } from '../../testing/process/two-nodes.ts';
import { multiKeyFixture, numberedKey, rejectedKeyResponse } from '../../testing/relay/multi-key-fixture.ts';

test('a key disabled on one node is no longer used on the other, and cooldowns are shared', async () => {
  const { near, far, stack } = await startTwoNodes();
  await using _ = stack;
  const made = await multiKeyFixture(near, 3, {});
  stack.defer(async () => void (await made.close()));
  const { upstream, keys } = made;
  const farKeys = async () => (await far.as('admin')).call(channelKeyApi.list, { params: made.params });
  await (await near.as('root')).call(optionApi.update, {
    body: { key: 'AutomaticDisableChannelEnabled', value: 'true' },
  });
  for (let count = 0; count < 3; count += 1) expect((await requestNode(far, made)).status).toBe(200);
  upstream.say(numberedKey(2), rejectedKeyResponse);
  for (let count = 0; count < 6; count += 1) expect((await requestNode(near, made)).status).toBe(200);
  await expect.poll(async () => (await keys())[1]?.status).toBe(channelStatus.disabledByMonitor);
  await expect
    .poll(async () => {
      upstream.seen.length = 0;
      for (let count = 0; count < 6; count += 1) expect((await requestNode(far, made)).status).toBe(200);
      return upstream.countOf(numberedKey(2));
    })
    .toBe(0);
  upstream.say(numberedKey(3), (response) => {
    response.writeHead(429, { 'retry-after': '120', 'content-type': 'application/json' });
    response.end('{"error":{"message":"Slow down"}}');
  });
  for (let count = 0; count < 4; count += 1) expect((await requestNode(near, made)).status).toBe(200);
  await expect.poll(async () => ((await farKeys())[2]?.cooldown_seconds ?? 0) > 60).toBe(true);
});
