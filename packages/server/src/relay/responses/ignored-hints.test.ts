import { optionApi } from '@headgate/contract';
import { channelKey, completion, embeddingResponse, reply, requestBody, StubUpstream, wires } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useWireFixtures, wireNamed } from '../../testing/relay/wire-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { stageOf } = useWireFixtures(app);
const header = 'x-headgate-ignored';

/** Hints that ordinary chat clients send to any upstream. */
const hints = {
  temperature: 1.5,
  top_p: 0.9,
  presence_penalty: 0.5,
  frequency_penalty: 0.5,
  seed: 7,
  stop: ['END'],
  user: 'ada',
  logit_bias: { '50256': -100 },
};

test.each(wires)('$name serves a client that sends every sampling hint, whole and streamed', async (wire) => {
  const { scene, respondWith } = await stageOf(wire);
  for (const isStream of [false, true]) {
    respondWith(wire.respond({ isStream, isCall: false }));
    const response = await scene.chat({ ...requestBody(wire.model, { isStream, hasTools: false }), ...hints });
    await response.text();
    expect(response.status).toBe(200);
    const ignored = response.headers.get(header)?.split(', ') ?? [];
    expect(Object.keys(hints)).toEqual(expect.arrayContaining(ignored));
    expect(new Set(ignored).size).toBe(ignored.length);
  }
});

test.each([
  ['DeepL', Object.keys(hints)],
  ['AI Proxy library', Object.keys(hints)],
  ['Coze', Object.keys(hints).filter((name) => name !== 'user')],
  ['Anthropic', ['temperature', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias']],
  ['Zhipu', ['temperature']],
])('%s lists unsupported fields and out-of-range values in the header', async (name, expected) => {
  const wire = wireNamed(name);
  const { scene, respondWith } = await stageOf(wire);
  respondWith(wire.respond({ isStream: false, isCall: false }));
  const response = await scene.chat({ model: wire.model, ...hints });
  expect((response.headers.get(header) ?? '').split(', ').sort()).toEqual([...expected].sort());
  expect(response.headers.get('access-control-expose-headers')).toContain(header);
  const plain = await scene.chat({ model: wire.model });
  expect(plain.status).toBe(200);
  expect(plain.headers.has(header)).toBe(false);
});

test('reports the ignored fields of the channel that responded instead of those of an earlier attempt', async () => {
  const deepl = await StubUpstream.start(reply({ message: 'down' }, 500));
  const { chat, group, admin, upstreams, close } = await relayFixture(app, { upstreams: [completion()] });
  afterAll(() => Promise.all([close(), deepl.close()]));
  await createChannel(admin, group, deepl.url, { type: 38, priority: 9, key: channelKey });
  const root = await app.as('root');
  await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '1' } });
  const response = await chat({ ...hints });
  expect(response.status).toBe(200);
  expect(deepl.received).toHaveLength(1);
  expect(upstreams[0]?.received[0]?.body).toMatchObject(hints);
  expect(response.headers.has(header)).toBe(false);
});

test("does not let a client control Ollama's memory use or keep-alive time", async () => {
  const wire = wireNamed('Ollama');
  const { scene, respondWith, seen } = await stageOf(wire);
  respondWith(wire.respond({ isStream: false, isCall: false }));
  const request = { num_ctx: 1_000_000, keep_alive: -1, options: { num_ctx: 1_000_000 } };
  const response = await scene.chat({ model: wire.model, ...request });
  expect(response.headers.get(header)).toBe('num_ctx, keep_alive');
  expect(seen.at(-1)?.text).not.toMatch(/num_ctx|keep_alive/);
});

test("does not forward OpenRouter's route field, and lists ignored fields of speech and embeddings requests", async () => {
  const wire = wireNamed('OpenRouter');
  const { scene, respondWith, seen } = await stageOf(wire);
  respondWith(wire.respond({ isStream: false, isCall: false }));
  const response = await scene.chat({ model: wire.model, route: 'fallback' });
  expect(response.headers.get(header)).toBe('route');
  expect(seen.at(-1)?.body).not.toHaveProperty('route');
  respondWith(embeddingResponse);
  const vectors = await scene.post('/v1/embeddings', { model: wire.model, input: 'a', route: 'fallback' });
  expect(vectors.status).toBe(200);
  expect(vectors.headers.get(header)).toBe('route');
  respondWith(reply('sound', 200, 'audio/mpeg'));
  const speech = await scene.post('/v1/audio/speech', { model: wire.model, input: 'a', voice: 'b', route: 'fallback' });
  expect(speech.status).toBe(200);
  expect(speech.headers.get(header)).toBe('route');
});
