import { channelStatus } from '@headgate/contract';
import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
let scene: Scene;
let limited: Scene;
/** A model that only another group can use. */
const foreign = 'model-of-another-group';
/** A model whose only channel in the fixture's group was disabled automatically. */
const down = 'model-that-is-down';
/** A model whose only channel in the fixture's group was disabled by an admin. */
const retired = 'retired-model';
let respond: UpstreamHandler = completion();

beforeAll(async () => {
  scene = await relayFixture(app, { upstreams: [(response, request) => respond(response, request)] });
  limited = await relayFixture(app, { upstreams: [reply({})], token: { models: 'gpt-4o' } });
  const { admin, group } = scene;
  const address = 'http://127.0.0.1:9';
  for (const [models, status] of [
    [down, channelStatus.disabledByMonitor],
    [retired, channelStatus.disabled],
  ] as const) {
    await createChannel(admin, group, address, { models });
    await app.database.updateTable('channels').set({ status }).where('models', '=', models).execute();
  }
  // Makes the node read all channels again.
  await createChannel(admin, 'somebody-else', address, { models: foreign });
});
afterAll(() => Promise.all([scene.close(), limited.close()]));

const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ parts: [{ text: 'hi' }] }];

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | null>>;
  readonly body: unknown;
}

async function reportedBy(response: Response): Promise<Told> {
  const names = ['x-should-retry', 'retry-after'];
  const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));
  return { status: response.status, headers, body: await response.json() };
}

const final = { 'x-should-retry': 'false', 'retry-after': null };
const later = { 'x-should-retry': null, 'retry-after': '30' };
const openai = (code: string) => ({ error: { code } });
const anthropic = (type: string) => ({ type: 'error', error: { type } });
const google = (code: number, status: string) => ({ error: { code, status } });
const ollama = { error: expect.any(String) };

/** Requests per endpoint, and the bodies of their 404, 403 and 503 errors. */
const endpoints = [
  [
    '/v1/chat/completions',
    (model: string) => ({ model, messages }),
    [openai('model_not_found'), openai('model_not_allowed'), openai('no_channel')],
  ],
  [
    '/v1/responses',
    (model: string) => ({ model, input: 'hi' }),
    [openai('model_not_found'), openai('model_not_allowed'), openai('no_channel')],
  ],
  [
    '/v1/embeddings',
    (model: string) => ({ model, input: 'hi' }),
    [openai('model_not_found'), openai('model_not_allowed'), openai('no_channel')],
  ],
  [
    '/v1/messages',
    (model: string) => ({ model, max_tokens: 5, messages }),
    [anthropic('not_found_error'), anthropic('permission_error'), anthropic('overloaded_error')],
  ],
  [
    '/v1/messages/count_tokens',
    (model: string) => ({ model, messages }),
    [anthropic('not_found_error'), anthropic('permission_error'), anthropic('overloaded_error')],
  ],
  [
    '/v1beta/models/MODEL:generateContent',
    () => ({ contents }),
    [google(404, 'NOT_FOUND'), google(403, 'PERMISSION_DENIED'), google(503, 'UNAVAILABLE')],
  ],
  ['/api/chat', (model: string) => ({ model, messages }), [ollama, ollama, ollama]],
] as const;

describe.each(endpoints)('unavailable models at %s', (path, bodyFor, [missing, forbidden, unavailable]) => {
  const ask = async (by: Scene, model: string) =>
    reportedBy(await by.post(path.replace('MODEL', model), bodyFor(model)));

  test('[A69.1] returns 404 for a model that no enabled channel offers', async () => {
    for (const model of ['nobody-has-it', retired])
      expect(await ask(scene, model)).toMatchObject({ status: 404, headers: final, body: missing });
  });

  test('[A69.1] returns 404, not 403, to a token with a model list if no channel offers the model', async () => {
    expect(await ask(limited, 'nobody-has-it')).toMatchObject({ status: 404, headers: final, body: missing });
  });

  test('[A69.2] returns 403 for a model of another group, and for a model the token may not use', async () => {
    expect(await ask(scene, foreign)).toMatchObject({ status: 403, headers: final, body: forbidden });
    expect(await ask(limited, foreign)).toMatchObject({ status: 403, headers: final, body: forbidden });
  });

  test('[A69.3] returns 503 with Retry-After for a model whose channels were disabled automatically', async () => {
    const status = path.startsWith('/v1/messages') ? 529 : 503;
    expect(await ask(scene, down)).toMatchObject({ status, headers: later, body: unavailable });
  });
});

test('[A69.1] returns 404 if the only channel is disabled and belongs to another group', async () => {
  expect((await limited.post('/v1/embeddings', { model: down, input: 'hi' })).status).toBe(404);
});

test('the message contains the model and the group', async () => {
  const { body } = await reportedBy(await scene.chat({ model: down }));
  const message = `No available channel for model ${down} in group ${scene.group}`;
  expect(body).toMatchObject({ error: { message: expect.stringContaining(message) } });
});

describe('[A69.4] x-should-retry header', () => {
  test.each([400, 404])('x-should-retry is false when the upstream returns %i', async (status) => {
    respond = reply({ error: { message: 'no' } }, status);
    for (const [path, bodyFor] of endpoints.filter(([each]) => !each.includes('count_tokens'))) {
      const { headers } = await reportedBy(await scene.post(path.replace('MODEL', 'gpt-4o'), bodyFor('gpt-4o')));
      expect([path, headers['x-should-retry']]).toEqual([path, 'false']);
    }
  });

  test.each([401, 403, 408, 409, 429, 500, 503])(
    'x-should-retry is absent when the upstream returns %i',
    async (status) => {
      respond = reply({ error: { message: 'no' } }, status);
      expect((await reportedBy(await scene.chat())).headers['x-should-retry']).toBeNull();
    },
  );

  test('x-should-retry is false for an unknown key, an unknown model and an unknown path', async () => {
    const wrong = await reportedBy(await scene.chat({}, { headers: { authorization: 'Bearer sk-wrong' } }));
    expect([wrong.status, wrong.headers]).toEqual([401, final]);
    const headers = { authorization: `Bearer ${scene.token.key}` };
    for (const path of ['/v1/models/nobody-has-it', '/v1beta/models/nobody-has-it', '/v1/nothing-here']) {
      const missing = await reportedBy(await fetch(`${app.url}${path}`, { headers }));
      expect([path, missing.status, missing.headers]).toEqual([path, 404, final]);
    }
  });

  test('x-should-retry is not forwarded from an upstream', async () => {
    respond = (response, request) => {
      response.setHeader('x-should-retry', 'true');
      return reply({ error: { message: 'no' } }, 400)(response, request);
    };
    expect((await reportedBy(await scene.chat())).headers['x-should-retry']).toBe('false');
    respond = (response, request) => {
      response.setHeader('x-should-retry', 'true');
      return reply({ error: { message: 'no' } }, 500)(response, request);
    };
    expect((await reportedBy(await scene.chat())).headers['x-should-retry']).toBeNull();
  });

  test('x-should-retry can be read by pages of other origins', async () => {
    const response = await scene.chat({ model: 'nobody-has-it' });
    expect(response.headers.get('access-control-expose-headers')).toContain('x-should-retry');
  });
});
