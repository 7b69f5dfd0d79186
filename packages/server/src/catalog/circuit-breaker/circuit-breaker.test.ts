import {
  channelApi,
  channelStatus,
  circuitBreakerApi,
  optionApi,
  routingApi,
  userSupportApi,
} from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { afterAll, beforeEach, expect, test } from 'vitest';
import {
  cooldownClock,
  cooldownFixture,
  modelNotFoundResponse,
  serverErrorResponse,
} from '../../testing/relay/cooldown-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const { clock, pausing } = cooldownClock();
const options = { AutomaticDisableChannelEnabled: 'true', RetryTimes: '1', OverloadRule: '2 of 4' };
const app = await useTestApp({ pausing, options });
const root = await app.as('root');
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));

async function scene(count = 2) {
  const made = await cooldownFixture(app, count);
  closing.push(made);
  return made;
}
type Scene = Awaited<ReturnType<typeof scene>>;

const setOption = (key: keyof typeof options | 'ModelGoneRule' | 'AutomaticEnableChannelEnabled', value: string) =>
  root.call(optionApi.update, { body: { key, value } });
beforeEach(async () => {
  await setOption('AutomaticDisableChannelEnabled', 'true');
  await setOption('AutomaticEnableChannelEnabled', 'false');
});

async function send({ chat }: Scene, times: number, model = 'gpt-4o') {
  for (let count = 0; count < times; count += 1) expect((await chat({ model })).status).toBe(200);
}
const planned = async (made: Scene, index = 0) => (await made.pauses(index)).map(({ model }) => model);

/** Names of the stored paused models, returned once requests skip exactly these. */
async function pausedNames(made: Scene) {
  const stored = await planned(made);
  const { paused_models } = await made.channel(0);
  return stored.join() === paused_models.toSorted().join() ? stored : ['requests do not skip these models yet'];
}

test('a model that fails on one channel is paused only there, without errors for clients', async () => {
  const made = await scene();
  made.say(0, 'gpt-4o', modelNotFoundResponse);
  await send(made, 3);
  await expect.poll(() => pausedNames(made)).toEqual(['gpt-4o']);
  const before = made.requested(0, 'gpt-4o');
  await send(made, 10);
  expect(made.requested(0, 'gpt-4o')).toBe(before);
  await send(made, 10, 'gpt-3.5-turbo');
  expect([made.requested(0, 'gpt-3.5-turbo'), made.requested(1, 'gpt-3.5-turbo')]).toEqual([10, 0]);
  expect(await made.channel(0)).toMatchObject({ status: channelStatus.enabled, paused_models: ['gpt-4o'] });
  const { steps } = await root.call(routingApi.explain, { body: { group: made.group, model: 'gpt-4o' } });
  const { id: paused } = await made.channel(0);
  expect(steps[0]?.channels.map(({ id, reason, share }) => [id === paused, reason, share])).toEqual([
    [false, 'chosen', 1],
    [true, 'paused', undefined],
  ]);
  expect(await made.pauses(0)).toMatchObject([
    { reason: 'not_found', status: 404, message: 'The model does not exist', pause: 60, next_probe: clock.now + 60 },
  ]);
  expect(await made.events(0)).toEqual([
    'Model gpt-4o was paused on channel C: The model does not exist; next test in 1 min',
  ]);
});

test('a paused model is tested at intervals of up to an hour, resumes when a test succeeds, and is paused for longer after a relapse', async () => {
  const made = await scene();
  made.say(0, 'gpt-4o', modelNotFoundResponse);
  await send(made, 3);
  await expect.poll(() => pausedNames(made)).toEqual(['gpt-4o']);
  const pauses: number[] = [];
  for (let probes = 1; probes <= 8; probes += 1) {
    clock.now += (await made.pauses(0))[0]?.pause ?? 0;
    await expect.poll(async () => (await made.pauses(0))[0]?.probes).toBe(probes);
    pauses.push((await made.pauses(0))[0]?.pause ?? 0);
  }
  expect(pauses).toEqual([120, 240, 480, 960, 1920, 3600, 3600, 3600]);
  made.say(0, 'gpt-4o', completion());
  const before = made.requested(0, 'gpt-4o');
  clock.now += 3599;
  await send(made, 2);
  expect(made.requested(0, 'gpt-4o')).toBe(before);
  clock.now += 1;
  await expect.poll(() => pausedNames(made)).toEqual([]);
  await send(made, 2);
  expect(made.requested(0, 'gpt-4o')).toBe(before + 3);
  expect((await made.events(0)).at(-1)).toBe('Model gpt-4o on channel C recovered and is in use again');
  made.say(0, 'gpt-4o', modelNotFoundResponse);
  await send(made, 3);
  await expect.poll(async () => (await made.pauses(0))[0]?.pause).toBe(3600);
  made.say(0, 'gpt-4o', completion());
  clock.now += 3600;
  await expect.poll(() => pausedNames(made)).toEqual([]);
  clock.now += 3600;
  made.say(0, 'gpt-4o', modelNotFoundResponse);
  await send(made, 3);
  await expect.poll(async () => (await made.pauses(0))[0]?.pause).toBe(60);
});

test('an admin can test a paused model or end the pause without a test', async () => {
  const made = await scene();
  made.say(0, 'gpt-4o', serverErrorResponse);
  await send(made, 3);
  await expect.poll(() => pausedNames(made)).toEqual(['gpt-4o']);
  const order = { params: made.params(0), body: { model: 'gpt-4o' } };
  expect(await made.admin.call(circuitBreakerApi.test, order)).toMatchObject({ reason: 'server_error', became: '' });
  expect(await made.pauses(0)).toMatchObject([{ pause: 120, probes: 1, reason: 'server_error' }]);
  made.say(0, 'gpt-4o', completion());
  expect(await made.admin.call(circuitBreakerApi.test, order)).toMatchObject({ reason: '', became: 'enabled' });
  expect(await pausedNames(made)).toEqual([]);
  made.say(0, 'gpt-4o', serverErrorResponse);
  await send(made, 3);
  await expect.poll(() => pausedNames(made)).toEqual(['gpt-4o']);
  await made.admin.call(circuitBreakerApi.end, order);
  expect(await pausedNames(made)).toEqual([]);
  const { username } = await app.database
    .selectFrom('logs')
    .select('username')
    .where('channel', '=', made.params(0).id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect((await made.events(0)).at(-1)).toMatch(new RegExp(`^${username} resumed model gpt-4o`));
  await expect(made.admin.call(circuitBreakerApi.end, order)).rejects.toThrow();
});

test('a channel whose models all fail is paused and resumed as a whole', async () => {
  const made = await scene();
  for (const model of ['gpt-4o', 'gpt-3.5-turbo']) made.say(0, model, serverErrorResponse);
  await send(made, 1, 'gpt-3.5-turbo');
  await send(made, 2);
  await expect.poll(() => pausedNames(made)).toEqual(['']);
  const before = made.upstreams[0]?.received.length;
  for (const model of ['gpt-4o', 'gpt-3.5-turbo']) await send(made, 3, model);
  expect(made.upstreams[0]?.received).toHaveLength(before ?? -1);
  expect(await made.channel(0)).toMatchObject({ status: channelStatus.enabled, paused_models: [''] });
  for (const model of ['gpt-4o', 'gpt-3.5-turbo']) made.say(0, model, completion());
  clock.now += 60;
  await expect.poll(() => pausedNames(made)).toEqual([]);
  expect(await made.events(0)).toEqual([
    'Channel C was paused: Something went wrong; next test in 1 min',
    'Channel C recovered and is in use again',
  ]);
});

test('[A44.2] a paused model is still used when no other channel has it', async () => {
  const made = await scene(1);
  made.say(0, 'gpt-4o', serverErrorResponse);
  for (let count = 0; count < 3; count += 1) expect((await made.chat()).status).toBe(500);
  await expect.poll(() => pausedNames(made)).toEqual(['gpt-4o']);
  made.say(0, 'gpt-4o', completion());
  await send(made, 3);
});

test('[A44.2] a token bound to one channel uses its paused model, even if other channels have it', async () => {
  const made = await scene();
  made.say(0, 'gpt-4o', serverErrorResponse);
  await send(made, 4);
  await expect.poll(() => pausedNames(made)).toEqual(['gpt-4o']);
  made.say(0, 'gpt-4o', completion());
  const before = made.requested(0, 'gpt-4o');
  await send(made, 2);
  expect(made.requested(0, 'gpt-4o')).toBe(before);
  const { user, token } = made;
  const bind = (channels: string) =>
    root.call(userSupportApi.bindToken, { params: { id: user.id }, body: { token: token.id, channels, tags: '' } });
  await bind(String(made.params(0).id));
  await send(made, 2);
  expect(made.requested(0, 'gpt-4o')).toBe(before + 2);
  await bind(`${made.params(0).id},${made.params(1).id}`);
  await send(made, 2);
  expect(made.requested(0, 'gpt-4o')).toBe(before + 2);
});

test('[A44.3] invalid requests do not pause a model, because it is tested first', async () => {
  const made = await scene();
  const upstream = made.upstreams[0];
  const usual = upstream?.handler;
  if (!upstream || !usual) throw new Error('an upstream is required');
  upstream.handler = (response, request) =>
    (request.text.includes('poison') ? serverErrorResponse : usual)(response, request);
  for (let count = 0; count < 12; count += 1)
    expect((await made.chat({ messages: [{ role: 'user', content: 'poison' }] })).status).toBe(200);
  await expect.poll(() => upstream.received.some(({ text }) => text.includes('specific model name'))).toBe(true);
  await send(made, 1);
  expect(await pausedNames(made)).toEqual([]);
  expect(await made.events(0)).toEqual([]);
});

test('[A47.13] invalid requests cause at most one test per minute', async () => {
  const made = await scene(1);
  const upstream = made.upstreams[0];
  const usual = upstream?.handler;
  if (!upstream || !usual) throw new Error('an upstream is required');
  upstream.handler = (response, request) =>
    (request.text.includes('poison') ? serverErrorResponse : usual)(response, request);
  const questions = () => upstream.received.filter(({ text }) => text.includes('specific model name')).length;
  const poison = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1)
      await (await made.chat({ messages: [{ role: 'user', content: 'poison' }] })).text();
  };
  await poison(6);
  await expect.poll(questions).toBe(1);
  await poison(40);
  expect(questions()).toBe(1);
  clock.now += 61;
  await poison(6);
  await expect.poll(questions).toBe(2);
  expect(await pausedNames(made)).toEqual([]);
});

test('does not pause models while automatic disabling is off or the rule is "never"', async () => {
  await setOption('AutomaticDisableChannelEnabled', 'false');
  const off = await scene();
  off.say(0, 'gpt-4o', modelNotFoundResponse);
  await send(off, 6);
  await setOption('AutomaticDisableChannelEnabled', 'true');
  await setOption('ModelGoneRule', '0');
  const never = await scene();
  never.say(0, 'gpt-4o', modelNotFoundResponse);
  await send(never, 6);
  await setOption('ModelGoneRule', '3 of 5');
  for (const made of [off, never]) {
    expect(await pausedNames(made)).toEqual([]);
    expect(made.upstreams[0]?.received.some(({ text }) => text.includes('specific model name'))).toBe(false);
  }
});

test('a model without text generation is paused and then retried with normal requests', async () => {
  const made = await scene();
  const vectors = reply({ data: [{ embedding: [1], index: 0 }], usage: { prompt_tokens: 1, total_tokens: 1 } });
  made.say(0, 'text-embedding-3-small', modelNotFoundResponse);
  made.say(1, 'text-embedding-3-small', vectors);
  const embed = () => made.post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' });
  for (let count = 0; count < 3; count += 1) expect((await embed()).status).toBe(200);
  await expect.poll(() => pausedNames(made)).toEqual(['text-embedding-3-small']);
  expect(made.requested(0, 'text-embedding-3-small')).toBe(3);
  clock.now += 60;
  await expect.poll(() => pausedNames(made)).toEqual([]);
  expect(made.requested(0, 'text-embedding-3-small')).toBe(3);
});

test('retests a channel disabled for its key at increasing intervals if automatic enabling is on', async () => {
  await setOption('AutomaticEnableChannelEnabled', 'true');
  const made = await scene();
  const uselessKey = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);
  for (const model of ['gpt-4o', 'gpt-3.5-turbo']) made.say(0, model, uselessKey);
  await send(made, 1);
  await expect.poll(async () => (await made.channel(0)).status).toBe(channelStatus.disabledByMonitor);
  await expect.poll(() => planned(made)).toEqual(['']);
  clock.now += 60;
  await expect.poll(async () => (await made.pauses(0))[0]).toMatchObject({ probes: 1, pause: 120 });
  for (const model of ['gpt-4o', 'gpt-3.5-turbo']) made.say(0, model, completion());
  clock.now += 120;
  await expect.poll(async () => (await made.channel(0)).status).toBe(channelStatus.enabled);
  await expect.poll(() => planned(made)).toEqual([]);
  expect((await made.channel(0)).paused_models).toEqual([]);
  await made.admin.call(channelApi.update, { body: { id: made.params(0).id, status: channelStatus.disabled } });
});

test('a rejected key disables its channel only after as many requests as its rule requires', async () => {
  await root.call(optionApi.update, { body: { key: 'KeyRejectedRule', value: '3 of 5' } });
  const made = await scene();
  const uselessKey = reply({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401);
  made.say(0, 'gpt-4o', uselessKey);
  await send(made, 2);
  await send(made, 3, 'gpt-3.5-turbo');
  await send(made, 2);
  expect((await made.channel(0)).status).toBe(channelStatus.enabled);
  await send(made, 1);
  await expect.poll(async () => (await made.channel(0)).status).toBe(channelStatus.disabledByMonitor);
  await root.call(optionApi.update, { body: { key: 'KeyRejectedRule', value: '1 of 1' } });
});
