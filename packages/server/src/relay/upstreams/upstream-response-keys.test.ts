import { channelKeyApi, channelStatus } from '@headgate/contract';
import { afterAll, expect, test } from 'vitest';
import { multiKeyFixture, numberedKey } from '../../testing/relay/multi-key-fixture.ts';
import { storingUpstream } from '../../testing/relay/upstream-response-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));

async function keptScene() {
  const scene = await multiKeyFixture(app, 3, { type: 1 });
  closing.push(scene);
  for (const number of [1, 2, 3]) scene.upstream.say(numberedKey(number), storingUpstream());
  const ask = async (body: object = {}) => {
    const response = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', ...body });
    const { id = '', output = [] } = (await response.json()) as { id?: string; output?: { id: string }[] };
    return { status: response.status, id, item: output.at(-1)?.id ?? '', key: scene.upstream.seen.at(-1) ?? '' };
  };
  return { ...scene, ask };
}

test('continues, reads and deletes a response with the key of the account that stores it', async () => {
  const { ask, upstream, token } = await keptScene();
  const firsts = [await ask(), await ask(), await ask()];
  expect(new Set(firsts.map(({ key }) => key)).size).toBe(3);
  for (const { id, item, key } of firsts) {
    expect(await ask({ previous_response_id: id })).toMatchObject({ status: 200, key });
    expect(await ask({ input: [{ type: 'item_reference', id: item }] })).toMatchObject({ status: 200, key });
    for (const method of ['GET', 'DELETE']) {
      const headers = { authorization: `Bearer sk-${token.key}` };
      expect((await fetch(`${app.url}/v1/responses/${id}`, { method, headers })).status).toBe(200);
      expect(upstream.seen.at(-1)).toBe(key);
    }
  }
});

test('returns 503 for a response stored with a disabled key, without trying other keys', async () => {
  const { ask, admin, params, keys, upstream } = await keptScene();
  const { id, key } = await ask();
  const ids = (await keys()).filter(({ hint }) => key.endsWith(hint)).map((each) => each.id);
  await admin.call(channelKeyApi.update, { params, body: { ids, status: channelStatus.disabled } });
  const before = upstream.seen.length;
  expect((await ask({ previous_response_id: id })).status).toBe(503);
  expect(upstream.seen).toHaveLength(before);
});

test('rejects items stored with different keys', async () => {
  const { ask } = await keptScene();
  const [one, other] = [await ask(), await ask()];
  const input = [one, other].map(({ item }) => ({ type: 'item_reference', id: item }));
  expect((await ask({ input })).status).toBe(400);
});
