import { chatResponse, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

/** One point per token. */
const options = {
  ModelRatio: JSON.stringify({ 'house-model': 1, 'gpt-4o': 1 }),
  CompletionRatio: JSON.stringify({ 'house-model': 1, 'gpt-4o': 1 }),
  // Fields that an admin allows are included in the reservation too.
  UnpricedFieldsAllowed: 'file_id,file_uri,audio_id,item_reference',
};
const app = await useTestApp({ options });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const types = { messages: 14, responses: 1, contents: 24, chat: 1 } as const;
type DialectName = keyof typeof types;

const pathOf: Readonly<Record<DialectName, (model: string) => string>> = {
  messages: () => '/v1/messages',
  responses: () => '/v1/responses',
  contents: (model) => `/v1beta/models/${model}:generateContent`,
  chat: () => '/v1/chat/completions',
};

/** Reports this usage in the upstream's format. */
const responses: Readonly<Record<DialectName, (prompt: number) => object>> = {
  messages: (input_tokens) => ({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens, output_tokens: 5 },
  }),
  responses: (input_tokens) => ({
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
    usage: { input_tokens, output_tokens: 5 },
  }),
  contents: (promptTokenCount) => ({
    candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount, candidatesTokenCount: 5 },
  }),
  chat: (prompt_tokens) => ({ ...chatResponse(), usage: { prompt_tokens, completion_tokens: 5 } }),
};

const message = (...content: object[]) => ({ messages: [{ role: 'user', content }], max_tokens: 5 });
const item = (...content: object[]) => ({ input: [{ role: 'user', content }], max_output_tokens: 16 });
const parts = (...given: object[]) => ({ contents: [{ parts: given }], generationConfig: { maxOutputTokens: 5 } });

const pdf = 'JVBERi0xLjQK';
const address = 'https://a.example/b';

const documents: readonly (readonly [name: string, words: DialectName, body: object])[] = [
  [
    'document pages',
    'messages',
    message({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: pdf } }),
  ],
  ['document pages', 'responses', item({ type: 'input_file', filename: 'a.pdf', file_data: pdf })],
  ['document pages', 'contents', parts({ inlineData: { mimeType: 'application/pdf', data: pdf } })],
  [
    'document pages',
    'chat',
    message({ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` } }),
  ],
  [
    'document pages sent as an image',
    'chat',
    message({ type: 'image_url', image_url: { url: `data:application/pdf;base64,${pdf}` } }),
  ],
];

const videos: typeof documents = [
  ['a document URL', 'messages', message({ type: 'document', source: { type: 'url', url: address } })],
  ['an uploaded file', 'messages', message({ type: 'document', source: { type: 'file', file_id: 'a' } })],
  ['a file in an unknown location', 'messages', message({ type: 'video', source: { type: 's3', uri: 's3://a' } })],
  ['a video', 'messages', message({ type: 'video', source: { type: 'base64', media_type: 'video/mp4', data: pdf } })],
  ['an uploaded file', 'responses', item({ type: 'input_file', file_id: 'a' })],
  ['a file URL', 'responses', item({ type: 'input_file', file_url: address })],
  ['a stored item', 'responses', { input: [{ id: 'msg_1' }], max_output_tokens: 16 }],
  ['a video URL', 'responses', item({ type: 'input_video', video_url: address })],
  ['a video', 'responses', item({ type: 'input_video', video_url: `data:video/mp4;base64,${pdf}` })],
  ['base64 audio', 'responses', item({ type: 'input_audio', input_audio: { format: 'opus', data: pdf } })],
  ['a video URL', 'contents', parts({ fileData: { mimeType: 'video/mp4', fileUri: address } })],
  ['a video', 'contents', parts({ inlineData: { mimeType: 'video/mp4', data: pdf } })],
  ['base64 audio', 'contents', parts({ inline_data: { mime_type: 'audio/ogg', data: pdf } })],
  ['arbitrary bytes', 'contents', parts({ inlineData: { mimeType: 'application/octet-stream', data: pdf } })],
  ['an uploaded file', 'chat', message({ type: 'file', file: { file_id: 'a' } })],
  ['a video URL', 'chat', message({ type: 'video_url', video_url: { url: address } })],
  ['a video', 'chat', message({ type: 'video_url', video_url: { url: `data:video/mp4;base64,${pdf}` } })],
  ['base64 audio', 'chat', message({ type: 'input_audio', input_audio: { format: 'ogg', data: pdf } })],
  ['an earlier audio response', 'chat', { messages: [{ role: 'assistant', audio: { id: 'a' } }], max_tokens: 5 }],
];

async function sceneOf(dialect: DialectName, quota: number, respond: UpstreamHandler): Promise<Scene> {
  const channel = { type: types[dialect], models: 'house-model,gpt-4o' };
  const scene = await relayFixture(app, { quota, upstreams: [respond], channel });
  scenes.push(scene);
  return scene;
}

const postTo = (scene: Scene, dialect: DialectName, body: object, model = 'house-model') =>
  scene.post(pathOf[dialect](model), { ...(dialect !== 'contents' && { model }), ...body });

/** Expects a request to reserve so much that a second concurrent one is rejected. */
async function expectOnlyReservation(dialect: DialectName, body: object): Promise<void> {
  const { promise: received, resolve: isRequested } = Promise.withResolvers<void>();
  const { promise: going, resolve: go } = Promise.withResolvers<void>();
  let isFirst = true;
  const scene = await sceneOf(dialect, 900_000, async (response, request) => {
    isRequested();
    if (isFirst) {
      isFirst = false;
      await going;
    }
    await reply(responses[dialect](890_000))(response, request);
  });
  const first = postTo(scene, dialect, body);
  await received;
  const second = await postTo(scene, dialect, body);
  go();
  expect([(await first).status, second.status]).toEqual([200, 429]);
  const { user, drift } = await scene.books();
  expect(user).toMatchObject({ quota: 900_000 - 890_005 });
  expect(drift).toBe(0);
}

test.each(documents)('[A5.11] reserves the maximum tokens a model may read from %s in %s', (_, dialect, body) =>
  expectOnlyReservation(dialect, body),
);

test.each(videos)('[A5.13] reserves the tokens that a model may read from %s in %s', (_, dialect, body) =>
  expectOnlyReservation(dialect, body),
);

test('[A5.13] reserves at most the context window, so that other requests are admitted', async () => {
  const { promise: received, resolve: isRequested } = Promise.withResolvers<void>();
  const { promise: going, resolve: go } = Promise.withResolvers<void>();
  const scene = await sceneOf('chat', 900_000, async (response, request) => {
    isRequested();
    await going;
    await reply(responses.chat(100_000))(response, request);
  });
  const body = message({ type: 'file', file: { file_id: 'a' } });
  const first = postTo(scene, 'chat', body, 'gpt-4o');
  await received;
  const second = postTo(scene, 'chat', body, 'gpt-4o');
  go();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
});

test('[A5.13] reserves no more than the context window for a multi-megabyte document or twenty URLs', async () => {
  const scene = await sceneOf('messages', 140_000, reply(responses.messages(20_000)));
  const data = 'A'.repeat(4_000_000);
  const long = message({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } });
  expect((await postTo(scene, 'messages', long)).status).toBe(200);
  const more = await sceneOf('messages', 140_000, reply(responses.messages(20_000)));
  const pointed = Array.from({ length: 20 }, () => ({ type: 'document', source: { type: 'url', url: address } }));
  expect((await postTo(more, 'messages', message(...pointed))).status).toBe(200);
});

const halfMegabyte = 'A'.repeat(640_000);

/** Requests with their approximate token count if no usage is reported. */
const begun: readonly (readonly [name: string, words: DialectName, body: object, tokens: number])[] = [
  [
    'a document',
    'messages',
    message({ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: halfMegabyte } }),
    10_000,
  ],
  ['a file', 'responses', item({ type: 'input_file', filename: 'a.pdf', file_data: halfMegabyte }), 10_000],
  ['a video', 'contents', parts({ inlineData: { mimeType: 'video/mp4', data: halfMegabyte } }), 10_000],
  ['a video URL', 'contents', parts({ fileData: { mimeType: 'video/mp4', fileUri: address } }), 1000],
  ['an uploaded file', 'chat', message({ type: 'file', file: { file_id: 'a' } }), 1000],
];

test.each(begun)(
  '[A4.1] charges %s in %s if the client disconnects before the first byte',
  async (_, dialect, body, tokens) => {
    const { promise: received, resolve: isRequested } = Promise.withResolvers<void>();
    const scene = await sceneOf(dialect, 2_000_000, () => isRequested());
    const gone = new AbortController();
    const model = 'house-model';
    const sent = { ...(dialect !== 'contents' && { model }), ...body };
    const pending = scene.post(pathOf[dialect](model), sent, { signal: gone.signal }).catch(() => undefined);
    await received;
    gone.abort();
    await pending;
    await expect.poll(async () => (await scene.books()).logs.length).toBe(1);
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 2, ended_by: 'client', completion_tokens: 0 }]);
    expect(logs[0]?.prompt_tokens).toBeGreaterThanOrEqual(tokens);
    expect(logs[0]?.prompt_tokens).toBeLessThan(tokens * 1.2);
    expect(drift).toBe(0);
  },
);
