import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import { requestNode } from '../../testing/process/two-nodes.ts';
import { cooldownClock, cooldownFixture, modelNotFoundResponse } from '../../testing/relay/cooldown-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const { clock, pausing } = cooldownClock();
const options = { AutomaticDisableChannelEnabled: 'true', RetryTimes: '1', OverloadRule: '2 of 4' };

test('nodes count failures together, and all pause and resume a model at the same time', async () => {
  await using near = await startTestApp({ pausing, options });
  await using far = await startTestApp({ beside: near, pausing });
  const made = await cooldownFixture(near, 2);
  const paused = async () => (await made.pauses(0)).map(({ model }) => model);
  for (const node of [near, far]) await expect.poll(async () => (await requestNode(node, made)).status).toBe(200);
  made.say(0, 'gpt-4o', modelNotFoundResponse);
  // No single node sees enough failures to open the breaker.
  for (const node of [near, far, near]) expect((await requestNode(node, made)).status).toBe(200);
  await expect.poll(paused).toEqual(['gpt-4o']);
  await expect
    .poll(async () => {
      const before = made.requested(0, 'gpt-4o');
      for (const node of [near, far, near, far]) expect((await requestNode(node, made)).status).toBe(200);
      return made.requested(0, 'gpt-4o') - before;
    })
    .toBe(0);
  expect(await made.events(0)).toEqual([expect.stringMatching('was paused')]);
  made.say(0, 'gpt-4o', completion());
  clock.now += 60;
  await expect.poll(paused).toEqual([]);
  await expect
    .poll(async () => {
      const before = made.requested(0, 'gpt-4o');
      for (const node of [near, far]) expect((await requestNode(node, made)).status).toBe(200);
      return made.requested(0, 'gpt-4o') - before;
    })
    .toBe(2);
  expect(await made.events(0)).toHaveLength(2);
  await made.close();
});
