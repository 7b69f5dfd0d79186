import { reply, StubUpstream } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { keyLocation } from './proxy-endpoint.ts';

const app = await useTestApp();
const upstream = await StubUpstream.start(reply({}));
afterAll(() => upstream.close());

const secret = 'their-secret-0123456789';

async function called(other: string, query = '') {
  const scene = await relayFixture(app);
  await createChannel(scene.admin, scene.group, upstream.url, { type: 43, key: secret, models: '', other });
  const { id } = await app.database
    .selectFrom('channels')
    .select('id')
    .where('group', '=', scene.group)
    .executeTakeFirstOrThrow();
  const response = await fetch(`${app.url}/v1/proxy/${id}/v1/things${query}`, {
    headers: { 'x-api-key': `sk-${scene.token.key}` },
  });
  return { response, seen: upstream.received.at(-1), token: scene.token.key };
}

test.each([
  ['', 'authorization'],
  ['Authorization', 'authorization'],
  ['x-api-key', 'x-api-key'],
  ['X-Goog-Api-Key', 'x-goog-api-key'],
  ['x-their-own', 'x-their-own'],
])('sends the key of a proxy channel in the configured header: %j', async (other, header) => {
  const { response, seen, token } = await called(other);
  expect(response.status).toBe(200);
  expect(seen?.headers[header]).toBe(secret);
  expect(JSON.stringify([seen?.headers, seen?.path])).not.toContain(token);
  const carrying = Object.values(seen?.headers ?? {}).filter((value) => String(value).includes(secret));
  expect(carrying).toHaveLength(1);
});

test("sends the key in a query parameter, replacing the client's parameter", async () => {
  const { seen } = await called('?key', '?key=mine&alt=sse');
  expect(seen?.path).toBe(`/v1/things?alt=sse&key=${secret}`);
  expect(seen?.headers.authorization).toBeUndefined();
});

test.each(['host', 'two words', 'content-length', '?', 'a:b', 'Authorization: Bearer'])(
  'rejects the key placement %j when a proxy channel is saved',
  async (other) => {
    await expect(called(other)).rejects.toThrow('must be a header name, or ? followed by a query parameter name');
  },
);

test('returns 503 for an existing proxy channel with an invalid key placement', () => {
  expect(() => keyLocation({ other: 'two words', key: secret })).toThrow(
    expect.objectContaining({ status: 503, code: 'channel_not_set_up' }),
  );
});
