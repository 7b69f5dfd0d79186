import { limitRuleApi, optionApi, userApi } from '@headgate/contract';
import { chatResponse, reply } from '@headgate/testkit';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { type TestApp, useTestApp } from '../../testing/test-app.ts';
import { StoredResponseRepository } from './stored-response-repository.ts';

const app = await useTestApp({ keptBodies: { sweepEveryMs: 20 } });
const root = await app.as('root');
const set = (key: `StoredResponse${'Days' | 'Megabytes' | 'TotalMegabytes'}`, value: string) =>
  root.call(optionApi.update, { body: { key, value } });

type Scene = Awaited<ReturnType<typeof open>>;
const scenes: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(async () => {
  vi.useRealTimers();
  await set('StoredResponseDays', '30');
  await set('StoredResponseMegabytes', '100');
  await set('StoredResponseTotalMegabytes', '4096');
});
const pass = (days: number) => vi.setSystemTime(Date.now() + days * 24 * 3600 * 1000);

/** A user with a DeepSeek channel, which has no Responses API. */
async function open(on: TestApp = app, result: object = chatResponse({ content: 'Hello' }), quota = 100_000_000) {
  const scene = await relayFixture(on, { upstreams: [reply(result)], quota, channel: { type: 36 } });
  scenes.push(scene);
  const ask = async (body: object = {}) => {
    const response = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'secret words', ...body });
    return { status: response.status, body: (await response.json()) as { id: string; output: { id: string }[] } };
  };
  const call = async (method: string, path: string, key = scene.token.key) => {
    const headers = { authorization: `Bearer sk-${key}` };
    const response = await fetch(`${on.url}/v1/responses/${path}`, { method, headers });
    return { status: response.status, body: (await response.json()) as object };
  };
  const rows = () =>
    on.database.selectFrom('stored_responses').selectAll().where('user_id', '=', scene.user.id).execute();
  const items = () =>
    on.database.selectFrom('stored_response_items').selectAll().where('user_id', '=', scene.user.id).execute();
  return { ...scene, ask, call, rows, items };
}

const created = async (scene: Scene, body?: object) => (await scene.ask(body)).body;
const notFound = (id: string) => ({
  status: 404,
  body: { error: { message: expect.stringContaining(`Response with id '${id}' not found.`) } },
});

describe('[A66.1] stored responses', () => {
  it('stored responses can be read, listed, continued and deleted with the OpenAI SDK', async () => {
    const scene = await open();
    const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: `sk-${scene.token.key}`, maxRetries: 0 });
    const first = await client.responses.create({ model: 'gpt-4o', input: 'hi' });
    expect(await client.responses.retrieve(first.id)).toMatchObject({
      id: first.id,
      store: true,
      output: first.output,
    });
    const next = await client.responses.create({ model: 'gpt-4o', previous_response_id: first.id, input: 'go on' });
    expect(next.previous_response_id).toBe(first.id);
    const items = await client.responses.inputItems.list(next.id, { order: 'asc' });
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'go on' }] },
    ]);
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toMatchObject({ status: 404 });
    expect(await scene.items()).toHaveLength(1);
    expect((await scene.call('POST', `${next.id}/cancel`)).status).toBe(400);
    expect((await scene.call('GET', `${next.id}/input_items?limit=0`)).status).toBe(400);
  });

  it('stored responses are encrypted: the database contains neither input nor output', async () => {
    const scene = await open();
    const { id } = await created(scene);
    const [row] = await scene.rows();
    const stored = Buffer.concat([row?.input_sealed ?? Buffer.alloc(0), row?.answer_sealed ?? Buffer.alloc(0)]);
    expect(stored.length).toBe(row?.stored_bytes);
    for (const word of ['secret words', 'Hello', id]) expect(stored.includes(word)).toBe(false);
  });

  it('stored responses cannot be decrypted in the row of another user', async () => {
    const [mine, other] = [await open(), await open()];
    const { id } = await created(mine);
    const [row] = await mine.rows();
    if (!row) throw new Error('no row is stored');
    await app.database
      .insertInto('stored_responses')
      .values({ ...row, user_id: other.user.id })
      .execute();
    expect(await other.call('GET', id)).toMatchObject(notFound(id));
    expect((await mine.call('GET', id)).status).toBe(200);
  });
});

describe('[A66.2] responses of other users', () => {
  it('responses of other users return the same error as an unknown id, and nothing is sent', async () => {
    const [mine, other] = [await open(), await open()];
    const { id, output } = await created(mine);
    const unknown = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', '/input_items'],
      ['POST', '/cancel'],
    ] as const) {
      const [reported, reportedUnknown] = [
        await other.call(method, id + path),
        await other.call(method, unknown + path),
      ];
      expect(reported).toMatchObject(notFound(id));
      expect(reportedUnknown).toMatchObject(notFound(unknown));
    }
    expect((await other.ask({ previous_response_id: id })).status).toBe(400);
    expect((await other.ask({ input: [{ type: 'item_reference', id: output[0]?.id }] })).status).toBe(404);
    expect(other.upstreams[0]?.received).toEqual([]);
    expect((await mine.call('GET', id)).status).toBe(200);
  });
});

describe('[A66.3] response storage', () => {
  it('stores nothing with store: false or while the option is 0', async () => {
    const scene = await open();
    const unstored = await created(scene, { store: false });
    expect((await scene.call('GET', unstored.id)).status).toBe(404);
    await set('StoredResponseDays', '0');
    expect(await created(scene)).toMatchObject({ store: false });
    expect(await scene.rows()).toEqual([]);
  });

  it('expires responses after the configured number of days and deletes their rows', async () => {
    const scene = await open();
    const { id } = await created(scene);
    pass(29);
    expect((await scene.call('GET', id)).status).toBe(200);
    await set('StoredResponseDays', '7');
    expect((await scene.call('GET', id)).status).toBe(404);
    expect((await scene.ask({ previous_response_id: id })).status).toBe(400);
    await expect.poll(async () => [...(await scene.items())].length).toBe(0);
    await expect.poll(async () => (await scene.rows()).length).toBe(0);
  });

  it('skips a response larger than 8 MB and reports that it is not stored', async () => {
    const scene = await open();
    expect((await scene.ask({ input: 'x '.repeat(4.2 * 1024 * 1024) })).body).toMatchObject({ store: false });
    const response = { content: 'y'.repeat(500_000) };
    Object.assign(scene.upstreams[0] ?? {}, { handler: reply(chatResponse(response)) });
    expect((await scene.ask({ input: 'x '.repeat(3.9 * 1024 * 1024) })).body).toMatchObject({ store: false });
    expect(await scene.rows()).toEqual([]);
  });

  it('deletes the oldest responses of a user above the limit, but none of other users', async () => {
    const random = Array.from({ length: 60_000 }, () => Math.random().toString(36).slice(2)).join('');
    const [scene, other] = [await open(), await open()];
    await created(other);
    await set('StoredResponseMegabytes', '1');
    const ids: string[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      vi.setSystemTime(Date.now() + 1000);
      ids.push((await created(scene, { input: random.slice(turn * 1000, turn * 1000 + 500_000) })).id);
    }
    const left = (await scene.rows()).map(({ response_id }) => response_id);
    expect(left).toContain(ids[3]);
    expect(left).not.toContain(ids[0]);
    expect((await scene.items()).map(({ response_id }) => response_id).toSorted()).toEqual(left.toSorted());
    expect(await new StoredResponseRepository(app.database).storedBytes(scene.user.id)).toBeLessThan(1_000_000);
    expect(await other.rows()).toHaveLength(1);
  });

  it('[A66.9] stores nothing above the limit for all users until the least recently used responses are deleted', async () => {
    const input = () => Array.from({ length: 30_000 }, () => Math.random().toString(36).slice(2)).join('');
    const scenes = [await open(), await open()] as const;
    await set('StoredResponseTotalMegabytes', '1');
    for (const turn of [0, 1, 0, 1, 0, 1]) {
      vi.setSystemTime(Date.now() + 1000);
      await created(scenes[turn as 0 | 1], { input: input() });
    }
    const repository = new StoredResponseRepository(app.database);
    expect(await repository.storedBytes()).toBeLessThanOrEqual(1_000_000);
    await expect.poll(() => repository.storedBytes()).toBeLessThanOrEqual(900_000);
    const { id } = await created(scenes[0]);
    expect((await scenes[0].call('GET', id)).status).toBe(200);
    const ids = [...(await scenes[0].rows()), ...(await scenes[1].rows())].map(({ response_id }) => response_id);
    const items = [...(await scenes[0].items()), ...(await scenes[1].items())].map(({ response_id }) => response_id);
    expect(items.toSorted()).toEqual(ids.toSorted());
  });

  it('rejects a request that refers to more than 32 MB of stored responses', async () => {
    const scene = await open();
    const { id, output } = await created(scene);
    await app.database
      .updateTable('stored_responses')
      .set({ answer_bytes: 33 * 1024 * 1024 })
      .where('response_id', '=', id)
      .execute();
    const { status } = await scene.ask({ input: [{ type: 'item_reference', id: output[0]?.id }] });
    expect(status).toBe(413);
  });
});

it('[A66.7] does not decrypt large stored responses for a user without quota', async () => {
  const [rich, poor] = [await open(), await open(app, undefined, 0)];
  const { id } = await created(rich);
  const [row] = await rich.rows();
  if (!row) throw new Error('no row is stored');
  const large = { ...row, user_id: poor.user.id, input_bytes: 1024 * 1024 };
  await new StoredResponseRepository(app.database).insert(large, ['msg_large']);
  expect((await poor.ask({ previous_response_id: id })).status).toBe(402);
  await app.database
    .updateTable('stored_responses')
    .set({ answer_bytes: 1024 * 1024 })
    .where('user_id', '=', poor.user.id)
    .execute();
  expect((await poor.ask({ input: [{ type: 'item_reference', id: 'msg_large' }] })).status).toBe(402);
});

it('[A66.10] counts a request that refers to a stored response once in its rate limit, even if it fails', async () => {
  const scene = await open();
  const { id } = await created(scene);
  const rule = { user_id: scene.user.id, measure: 'requests_per_minute', amount: 3 } as const;
  await root.call(limitRuleApi.create, { body: rule });
  const going = (previous: string) => scene.ask({ previous_response_id: previous });
  const statuses = [];
  for (const previous of [id, 'resp_unknown', id, id]) statuses.push((await going(previous)).status);
  expect(statuses).toEqual([200, 400, 200, 429]);
});

it('[A66.8] counts a response read by id against the response memory limit', async () => {
  const scene = await open();
  const { id } = await created(scene);
  await app.database
    .updateTable('stored_responses')
    .set({ answer_bytes: 300 * 1024 * 1024 })
    .where('response_id', '=', id)
    .execute();
  for (const path of [id, `${id}/input_items`]) expect((await scene.call('GET', path)).status).toBe(503);
  expect((await scene.call('DELETE', id)).status).toBe(200);
});

it('[A66.4] deletes stored responses with the user, including responses stored during the deletion', async () => {
  const scene = await open();
  await created(scene);
  const [late] = await scene.rows();
  if (!late) throw new Error('no row is stored');
  const admin = await app.as('admin');
  await admin.call(userApi.manage, { body: { username: scene.user.username, action: 'delete' } });
  expect(await scene.rows()).toEqual([]);
  expect(await scene.items()).toEqual([]);
  await new StoredResponseRepository(app.database).insert(late, ['msg_late']);
  await expect.poll(async () => [...(await scene.rows()), ...(await scene.items())]).toEqual([]);
});

describe('[A66.6] upstreams that choose their response ids', () => {
  const own = (id: string, itemId: string, text: string) => ({
    id,
    object: 'response',
    status: 'completed',
    output: [{ id: itemId, type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  });

  it('upstreams cannot replace a stored response or item', async () => {
    const responses = [
      own('resp_1', 'msg_1', 'first'),
      own('resp_1', 'msg_2', 'second'),
      own('resp_3', 'msg_1', 'third'),
    ];
    const scene = await open();
    const { upstreams, group, admin } = scene;
    const { url } = upstreams[0] ?? { url: '' };
    await createChannel(admin, group, url, { type: 20, models: 'gpt-router' });
    const sendRequest = () => scene.ask({ model: 'gpt-router' });
    for (const response of responses) {
      Object.assign(upstreams[0] ?? {}, { handler: reply(response) });
      expect((await sendRequest()).status).toBe(200);
    }
    expect((await scene.call('GET', 'resp_1')).body).toMatchObject({ output: responses[0]?.output });
    expect(await scene.items()).toMatchObject([{ item_id: 'msg_1', response_id: 'resp_1' }]);
    await scene.ask({ model: 'gpt-router', input: [{ type: 'item_reference', id: 'msg_1' }] });
    expect(upstreams[0]?.received.at(-1)?.body['input']).toEqual(responses[0]?.output);
  });

  it.each(['../resp', 'a b', 'x'.repeat(201)])(
    'a response id with other characters or excessive length is not stored: %s',
    async (id) => {
      const scene = await open();
      const { upstreams, group, admin } = scene;
      await createChannel(admin, group, upstreams[0]?.url ?? '', { type: 20, models: 'gpt-router' });
      Object.assign(upstreams[0] ?? {}, { handler: reply(own(id, 'msg_1', 'x')) });
      expect((await scene.ask({ model: 'gpt-router' })).status).toBe(200);
      expect(await scene.rows()).toEqual([]);
    },
  );
});

describe('[A66.9] least recently used responses', () => {
  it('are deleted first, within one user and across all users', async () => {
    const repository = new StoredResponseRepository(app.database);
    const user_id = 900_001;
    const now = Math.floor(Date.now() / 1000);
    const ids = async () => {
      const rows = app.database.selectFrom('stored_responses').select('response_id').where('user_id', '=', user_id);
      return (await rows.orderBy('response_id').execute()).map(({ response_id }) => response_id);
    };
    for (const [index, response_id] of ['a', 'b', 'c', 'd'].entries()) {
      const sizes = { input_bytes: 1, answer_bytes: 1, stored_bytes: 100 };
      const times = { created_time: now + index, used_time: index };
      const bytes = Buffer.from('x');
      await repository.insert(
        { user_id, response_id, ...times, ...sizes, input_sealed: bytes, answer_sealed: bytes },
        [],
      );
    }
    await repository.use(user_id, ['a'], 10_000);
    await repository.use(user_id, ['b'], 3000);
    await repository.trim(user_id, 300);
    expect(await ids()).toEqual(['a', 'c', 'd']);
    expect(await repository.removeUnused(1)).toBe(100);
    expect(await ids()).toEqual(['a', 'd']);
    await repository.removeOfUser(user_id);
  });

  it('are those that no request has read, continued or referred to', async () => {
    const scene = await open();
    const stored = [await created(scene), await created(scene), await created(scene), await created(scene)];
    pass(1);
    const now = Math.floor(Date.now() / 1000);
    const [read, continued, referred] = stored;
    await scene.call('GET', read?.id ?? '');
    await scene.ask({ previous_response_id: continued?.id });
    await scene.ask({ input: [{ type: 'item_reference', id: referred?.output[0]?.id }] });
    const used = async () => {
      const times = new Map((await scene.rows()).map((row) => [row.response_id, row.used_time]));
      return stored.map(({ id }) => (times.get(id) ?? 0) >= now);
    };
    await expect.poll(used).toEqual([true, true, true, false]);
  });
});
