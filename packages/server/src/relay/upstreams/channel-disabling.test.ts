import { channelStatus, optionApi } from '@headgate/contract';
import { claudeMessage, completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const root = await app.as('root');
const setOption = (key: 'AutomaticDisableChannelEnabled' | 'RetryTimes', value: string) =>
  root.call(optionApi.update, { body: { key, value } });

async function scene(...responses: UpstreamHandler[]) {
  const made = await relayFixture(app, { upstreams: responses });
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

const uselessKey = reply(
  { error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } },
  401,
);

test('disables the channel of a rejected key with the reason if the option is on', async () => {
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
  const before = on.upstreams[0]?.received.length;
  expect((await on.chat()).status).toBe(200);
  expect(on.upstreams[0]?.received).toHaveLength(before ?? -1);
});

test('disables the channel for an empty account reported as 429, but not for a plain 429', async () => {
  await setOption('AutomaticDisableChannelEnabled', 'true');
  const words = 'You exceeded your current quota, please check your plan and billing details.';
  const empty = await scene(reply({ error: { message: words, type: 'insufficient_quota', code: null } }, 429));
  const busy = await scene(reply({ error: { message: words, type: 'requests', code: 'rate_limit_exceeded' } }, 429));
  expect((await empty.chat()).status).toBe(429);
  expect((await busy.chat()).status).toBe(429);
  await expect
    .poll(() => statuses(empty.group))
    .toMatchObject([{ status: channelStatus.disabledByMonitor, status_reason: expect.stringContaining(words) }]);
  expect(await statuses(busy.group)).toMatchObject([{ status: channelStatus.enabled }]);
});

const claude = { type: 14, models: 'claude-sonnet-4-5' };
const rejected = (type: string, message: string, status: number) =>
  reply({ type: 'error', error: { type, message } }, status);

test.each([
  [401, 'authentication_error', 'OAuth authentication is currently not supported.'],
  [403, 'permission_error', 'This key may not use the beta.'],
  [404, 'not_found_error', 'There is no such beta.'],
])(
  "[A22.5] neither disables nor cools down a channel that rejects a client's beta header with %i",
  async (status, type, message) => {
    await setOption('AutomaticDisableChannelEnabled', 'true');
    await setOption('RetryTimes', '1');
    const made = await relayFixture(app, { upstreams: [reply({}), reply(claudeMessage(false))], channel: claude });
    scenes.push(made);
    const [first, second] = made.upstreams;
    const headers = { authorization: `Bearer sk-${made.token.key}`, 'content-type': 'application/json' };
    const send = (beta: object) => made.chat({ model: 'claude-sonnet-4-5' }, { headers: { ...headers, ...beta } });
    if (!first || !second) throw new Error('two upstreams were asked for');
    first.handler = (response, request) => {
      const respond =
        'anthropic-beta' in request.headers ? rejected(type, message, status) : reply(claudeMessage(false));
      return respond(response, request);
    };
    // Three failures would cool down a channel while another is available.
    for (let count = 0; count < 4; count += 1)
      expect((await send({ 'anthropic-beta': 'oauth-2025-04-20' })).status).toBe(200);
    expect([first.received.length, second.received.length]).toEqual([4, 4]);
    expect((await send({})).status).toBe(200);
    expect([first.received.length, second.received.length]).toEqual([5, 4]);
    expect(await statuses(made.group)).toMatchObject([
      { status: channelStatus.enabled },
      { status: channelStatus.enabled },
    ]);
  },
);

test('recognizes a wrong key even if the client sent a beta header', async () => {
  await setOption('AutomaticDisableChannelEnabled', 'true');
  const respond = rejected('authentication_error', 'invalid x-api-key', 401);
  const made = await relayFixture(app, { upstreams: [respond], channel: claude });
  scenes.push(made);
  const headers = { authorization: `Bearer sk-${made.token.key}`, 'content-type': 'application/json' };
  await made.chat({ model: 'claude-sonnet-4-5' }, { headers: { ...headers, 'anthropic-beta': 'a' } });
  await expect.poll(() => statuses(made.group)).toMatchObject([{ status: channelStatus.disabledByMonitor }]);
});

const gemini = { type: 24, models: 'gemini-2.5-flash' };
const google = (message: string) => reply({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, 400);

test.each([
  [
    'an error in OpenAI’s format',
    {},
    reply({ error: { message: "No access to 'invalid_api_key'", code: 'no_access' } }, 403),
  ],
  ['a plain text error', {}, reply({ error: "There is no file 'incorrect api key'" }, 401)],
  ['an Anthropic error', claude, rejected('invalid_request_error', 'stop: Your credit balance is too low', 400)],
  ['an Anthropic permission error', claude, rejected('permission_error', 'No permission to use the resource', 403)],
  ['a Google error', gemini, google('Unsupported MIME type: API key not valid')],
])('[A22.5] disables nothing for request text quoted in %s', async (_, channel, respond) => {
  await setOption('AutomaticDisableChannelEnabled', 'true');
  const made = await relayFixture(app, { upstreams: [respond], channel });
  scenes.push(made);
  const model = 'models' in channel ? channel.models : 'gpt-4o';
  expect((await made.chat({ model })).ok).toBe(false);
  expect((await made.chat({ model })).ok).toBe(false);
  expect(await statuses(made.group)).toMatchObject([{ status: channelStatus.enabled }]);
});

test.each([
  ['a phrase in the middle of a message', 401, { error: { message: 'your balance of credit is a topic' } }],
  ['the code with another status', 400, { error: { message: 'x', code: 'invalid_api_key' } }],
  ['the code in a server error', 500, { error: { message: 'x', code: 'invalid_api_key' } }],
])('disables nothing for %s', async (_, status, body) => {
  const { chat, group } = await scene(reply(body, status));
  await chat();
  await chat();
  expect(await statuses(group)).toMatchObject([{ status: channelStatus.enabled }]);
});
