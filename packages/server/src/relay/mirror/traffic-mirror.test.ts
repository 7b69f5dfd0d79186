import { channelApi, optionApi, routingApi, usageApi, userSupportApi } from '@headgate/contract';
import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));

interface MirrorOptions {
  readonly isByName?: boolean;
  readonly mirror_model?: string;
}

/** The first upstream serves the requested model; the second receives the copies. */
async function mirrorScene({ isByName = false, ...mirror }: MirrorOptions, other: UpstreamHandler = completion()) {
  const scene = await relayFixture(app, { upstreams: [completion()], channel: { models: 'gpt-4o' }, quota: 1e9 });
  const second = await relayFixture(app, { upstreams: [other], group: `${scene.group}x` });
  closing.push(scene, second);
  const [copies] = second.upstreams;
  if (!copies) throw new Error('no upstream');
  const channel = { name: `${scene.group} copies`, models: 'gpt-4o,gpt-4o-mini', priority: -1, type: 1 };
  await createChannel(scene.admin, scene.group, copies.url, channel);
  await scene.admin.call(routingApi.createRule, {
    body: {
      ...{ group: scene.group, model: 'gpt-4o', mirror_model: 'gpt-4o-mini', mirror_percent: 100, ...mirror },
      ...(isByName && { mirror_channel: channel.name }),
    },
  });
  const readCopies = () =>
    app.database
      .selectFrom('logs')
      .selectAll()
      .where('username', '=', '@mirror')
      .where('group', '=', scene.group)
      .orderBy('id')
      .execute();
  /** Logs of copies, returned once there are this many. */
  const logsOfCopies = async (count: number) => {
    await expect.poll(async () => (await readCopies()).length).toBe(count);
    return readCopies();
  };
  return { ...scene, copies, logsOfCopies };
}

describe('traffic mirror', () => {
  it('sends a copy to the other model, logs its cost and charges the user only for the original', async () => {
    const { chat, copies, books, logsOfCopies, upstreams, admin, group } = await mirrorScene({});
    const response = await chat({ temperature: 0.5, stream: true });
    expect(await response.text()).toContain('[DONE]');
    const [copy] = await logsOfCopies(1);
    expect(copies.received.map(({ body }) => body)).toEqual([
      { ...upstreams[0]?.received[0]?.body, model: 'gpt-4o-mini' },
    ]);
    const { logs, user, drift } = await books();
    expect([logs.length, user.used_quota, drift]).toEqual([1, logs[0]?.quota, 0]);
    expect(copy).toMatchObject({ user_id: 0, type: 2, model_name: 'gpt-4o-mini', quota: 0 });
    expect(copy?.cost).toBeGreaterThan(0);
    expect(JSON.parse(copy?.detail ?? '{}')).toEqual({ mirror_of: logs[0]?.request_id });
    const usage = await admin.call(usageApi.read, { query: { rows: 'model', group } });
    expect(usage.total.cost).toBe((logs[0]?.cost ?? 0) + (copy?.cost ?? 0));
    expect(usage.total.quota).toBe(logs[0]?.quota);
  });

  it('sends copies to a channel by name, for the requested model', async () => {
    const { chat, copies, logsOfCopies } = await mirrorScene({ mirror_model: '', isByName: true });
    await chat();
    expect(await logsOfCopies(1)).toMatchObject([{ model_name: 'gpt-4o', quota: 0 }]);
    expect(copies.received.map(({ body }) => body['model'])).toEqual(['gpt-4o']);
  });

  it('[A15.9] copies no request of a token to channels to which the token is not bound', async () => {
    const { chat, copies, admin, user, token, upstreams } = await mirrorScene({});
    const { rows } = await admin.page(channelApi.list, { query: { size: 100 } });
    const { id: served } = rows.find(({ base_url }) => base_url === upstreams[0]?.url) ?? { id: 0 };
    const bind = (channels: string) =>
      admin.call(userSupportApi.bindToken, { params: { id: user.id }, body: { token: token.id, channels, tags: '' } });
    await bind(String(served));
    expect((await chat({ temperature: 0.1 })).status).toBe(200);
    await bind('');
    await chat({ temperature: 0.2 });
    const copied = () => copies.received.map(({ body }) => body['temperature']);
    await expect.poll(copied).toContain(0.2);
    expect(copied()).toEqual([0.2]);
  });

  it('never delays or fails the original request if the copy fails', async () => {
    const { chat, logsOfCopies, books } = await mirrorScene({}, reply({ error: { message: 'down' } }, 500));
    expect((await chat()).status).toBe(200);
    expect(await logsOfCopies(1)).toMatchObject([{ type: 5, status: 500, quota: 0 }]);
    expect((await books()).logs).toMatchObject([{ type: 2, model_name: 'gpt-4o' }]);
  });

  it('copies at most eight requests concurrently', async () => {
    const hold = Promise.withResolvers<void>();
    const { chat, copies, logsOfCopies } = await mirrorScene({}, async (response, request) => {
      await hold.promise;
      await completion()(response, request);
    });
    for (let sent = 0; sent < 10; sent += 1) expect((await chat()).status).toBe(200);
    await expect.poll(() => copies.received.length).toBe(8);
    hold.resolve();
    expect(await logsOfCopies(8)).toHaveLength(8);
  });

  it.each([
    ['conversations with a service tier', '/v1/chat/completions', { service_tier: 'flex', messages: [] }],
    ['conversations that refer to stored items', '/v1/responses', { input: [{ type: 'item_reference', id: 'x' }] }],
    ['other requests than conversations', '/v1/embeddings', { input: 'hi' }],
  ])('does not copy %s', async (_, path, body) => {
    const { chat, post, copies, logsOfCopies } = await mirrorScene({});
    await post(path, { model: 'gpt-4o', ...body });
    await chat();
    await logsOfCopies(1);
    expect(copies.received.map(({ body: sent }) => sent['messages'])).toEqual([[{ role: 'user', content: 'hi' }]]);
  });

  it('[A15.10] copies no request with an allowed field that acts on data in the account of the operator', async () => {
    const root = await app.as('root');
    await root.call(optionApi.update, { body: { key: 'UnpricedFieldsAllowed', value: 'conversation_id,mcp_servers' } });
    const { chat, copies, logsOfCopies } = await mirrorScene({});
    for (const body of [{ conversation_id: 'c1' }, { mcp_servers: [{ type: 'url', url: 'https://example.com' }] }])
      expect((await chat(body)).status).toBe(200);
    await chat({ conversation_id: '' });
    await logsOfCopies(1);
    expect(copies.received.map(({ body }) => body['mcp_servers'])).toEqual([undefined]);
    await root.call(optionApi.update, { body: { key: 'UnpricedFieldsAllowed', value: '' } });
  });

  it('does not let the provider store the response to a copy', async () => {
    const { post, copies } = await mirrorScene({});
    await post('/v1/responses', { model: 'gpt-4o', input: 'hi' });
    await expect.poll(() => copies.received.map(({ body }) => body['store'])).toEqual([false]);
  });
});
