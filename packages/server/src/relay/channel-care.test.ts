import { channelStatus, optionApi } from '@headgate/contract';
import { reply, type UpstreamAnswer } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayScene } from '../testing/relay-scene.ts';
import { useTestApp } from '../testing/test-app.ts';
import { completion } from '../testing/upstream-answers.ts';

const app = await useTestApp();
type Scene = Awaited<ReturnType<typeof relayScene>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const root = await app.as('root');
const setOption = (key: 'AutomaticDisableChannelEnabled' | 'RetryTimes', value: string) =>
  root.call(optionApi.update, { body: { key, value } });

async function scene(...answers: UpstreamAnswer[]) {
  const made = await relayScene(app, { upstreams: answers });
  scenes.push(made);
  return made;
}

const statuses = async (group: string) =>
  app.database
    .selectFrom('channels')
    .select(['status', 'status_reason'])
    .where('group', '=', group)
    .orderBy('id')
    .execute();

test('a channel that keeps failing rests: others go first, and it is asked again only when none is left', async () => {
  await setOption('RetryTimes', '1');
  const { chat, upstreams } = await scene(reply({ error: { message: 'down' } }, 500), completion());
  for (let count = 0; count < 6; count += 1) expect((await chat()).status).toBe(200);
  expect(upstreams[0]?.seen).toHaveLength(3);
  expect(upstreams[1]?.seen).toHaveLength(6);
});

test('a lone channel is asked even while it rests', async () => {
  const { chat, upstreams } = await scene(reply({ error: { message: 'down' } }, 500));
  for (let count = 0; count < 5; count += 1) expect((await chat()).status).toBe(500);
  expect(upstreams[0]?.seen).toHaveLength(5);
});

const uselessKey = reply(
  { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
  401,
);

test('a refused key disables its channel while people use it, with the reason, when that is switched on', async () => {
  await setOption('RetryTimes', '1');
  const off = await scene(uselessKey, completion());
  expect((await off.chat()).status).toBe(200);
  expect(await statuses(off.group)).toMatchObject([
    { status: channelStatus.enabled },
    { status: channelStatus.enabled },
  ]);
  await setOption('AutomaticDisableChannelEnabled', 'true');
  const on = await scene(uselessKey, completion());
  expect((await on.chat()).status).toBe(200);
  await expect
    .poll(() => statuses(on.group))
    .toMatchObject([
      { status: channelStatus.disabledByMonitor, status_reason: expect.stringContaining('Incorrect API key') },
      { status: channelStatus.enabled },
    ]);
  const before = on.upstreams[0]?.seen.length;
  expect((await on.chat()).status).toBe(200);
  expect(on.upstreams[0]?.seen).toHaveLength(before ?? -1);
});

test.each([
  ['a stray word', 401, { error: { message: 'your balance of credit is a topic' } }],
  ['the words in another status', 400, { error: { message: 'x', code: 'invalid_api_key' } }],
  ['the words in a fault', 500, { error: { message: 'x', code: 'invalid_api_key' } }],
])('%s disables nothing', async (_, status, body) => {
  const { chat, group } = await scene(reply(body, status));
  await chat();
  await chat();
  expect(await statuses(group)).toMatchObject([{ status: channelStatus.enabled }]);
});
