import { role, tokenApi, userSupportApi } from '@headgate/contract';
import { completion, reply, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { upstreamResponseFixtures } from '../../testing/relay/upstream-response-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
const kept = upstreamResponseFixtures(app);
const scene = await relayFixture(app, { upstreams: [completion(), completion()] });
const passedTo = await StubUpstream.start(reply({ passed: true }));
afterAll(() => Promise.all([kept.close(), scene.close(), passedTo.close()]));

const channelsOf = async (group: string) => {
  const rows = await app.database.selectFrom('channels').select('id').where('group', '=', group).execute();
  return rows.map(({ id }) => id).sort((one, other) => one - other);
};
const bind = (id: number, token: number, channels: number | undefined) =>
  root.call(userSupportApi.bindToken, { params: { id }, body: { token, channels: String(channels ?? ''), tags: '' } });

/** Sends a request through a proxy channel of the user's group and returns the status. */
async function passOn() {
  const known = await app.database.selectFrom('channels').select('id').where('type', '=', 43).executeTakeFirst();
  if (!known) await createChannel(scene.admin, scene.group, passedTo.url, { type: 43, models: '' });
  const { id } = await app.database
    .selectFrom('channels')
    .select('id')
    .where('type', '=', 43)
    .executeTakeFirstOrThrow();
  const headers = { authorization: `Bearer sk-${scene.token.key}` };
  return (await fetch(`${app.url}/v1/proxy/${id}/x`, { headers })).status;
}

test.each([{ dialects: 'openai' }, { endpoints: 'conversations,embeddings' }])(
  '[A47.8] a token restricted to %j cannot use proxy channels',
  async (narrow) => {
    const change = (fields: object) =>
      scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, ...fields } });
    expect(await passOn()).toBe(200);
    const before = passedTo.received.length;
    await change(narrow);
    expect(await passOn()).toBe(403);
    await change({ dialects: '', endpoints: '' });
    expect(passedTo.received).toHaveLength(before);
  },
);

describe('[A45.3] a token bound to a channel cannot reach another channel', () => {
  test("rejects another channel id appended to an admin's key", async () => {
    const [first = 0, second = 0] = await channelsOf(scene.group);
    const { id, username, password } = await app.createUser({ role: role.admin, group: scene.group, quota: 1_000_000 });
    const client = await app.signedIn(username, password);
    const token = await client.call(tokenApi.create, { body: { name: 'bound', unlimited_quota: true } });
    const send = async (channel: number) => {
      const headers = { authorization: `Bearer sk-${token.key}-${channel}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
      return (await fetch(`${app.url}/v1/chat/completions`, { method: 'POST', headers, body })).status;
    };
    expect([await send(first), await send(second)]).toEqual([200, 200]);
    await bind(id, token.id, second);
    expect([await send(first), await send(second)]).toEqual([403, 200]);
    expect(scene.upstreams.map(({ received }) => received.length)).toEqual([1, 2]);
  });

  test('rejects another channel through a proxy channel', async () => {
    const [first] = await channelsOf(scene.group);
    expect(await passOn()).toBe(200);
    const before = passedTo.received.length;
    await bind(scene.user.id, scene.token.id, first);
    expect(await passOn()).toBeGreaterThanOrEqual(400);
    expect(passedTo.received).toHaveLength(before);
    await bind(scene.user.id, scene.token.id, undefined);
  });

  test('rejects a stored response from another channel', async () => {
    const { ask, call, group, user, token, first } = await kept.open();
    const { id } = (await ask()).body;
    expect((await call('GET', id)).status).toBe(200);
    const [, second] = await channelsOf(group);
    await bind(user.id, token.id, second);
    for (const method of ['GET', 'DELETE']) expect((await call(method, id)).status).toBe(403);
    expect((await ask({ previous_response_id: id })).status).toBe(503);
    expect(first?.received).toHaveLength(2);
  });
});
