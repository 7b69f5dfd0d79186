import { completion, embeddingResponse } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const models = 'gpt-4o,gpt-3.5-turbo,whisper-1,dall-e-2';
const scene = await relayFixture(app, {
  upstreams: [completion()],
  channel: { models },
  token: { models: 'gpt-3.5-turbo,whisper-1,dall-e-2' },
});
afterAll(() => scene.close());

const sentBefore = () => scene.upstreams[0]?.received.length ?? 0;

const errorOf = async (response: Response) =>
  ((await response.json()) as { error: { message: string; code: string; param: string } }).error;

const chat = '/v1/chat/completions';
const messages = '"messages":[{"role":"user","content":"hi"}]';
const allowed = '"model":"gpt-3.5-turbo"';

describe('[A15.5] ambiguous JSON keys', () => {
  test.each([
    [chat, `{${allowed},${messages},"model":"gpt-4o"}`, 'model'],
    [chat, `{"model":"gpt-4o",${messages},${allowed}}`, 'model'],
    [chat, `{${allowed},${messages},"\\u006dodel":"gpt-3.5-turbo"}`, 'model'],
    [chat, `{${allowed},${messages},"max_tokens":5,"max_tokens":50000}`, 'max_tokens'],
    [chat, `{${allowed},${messages},${messages}}`, 'messages'],
    [chat, `{${allowed},${messages},"n":1,"stop":"{\\"n\\":1}","n":100}`, 'n'],
    [chat, `{${allowed},${messages},"anything":1,"anything":2}`, 'anything'],
    [chat, `{${allowed},${messages},"Model":"gpt-4o"}`, 'Model'],
    [chat, `{${allowed},${messages},"MAX_TOKENS":5000}`, 'MAX_TOKENS'],
    [chat, `{${allowed},${messages},"maxTokens":5000}`, 'maxTokens'],
    [chat, `{${allowed},${messages},"max_to\u212Aens":5000}`, 'max_to\u212Aens'],
    [chat, `{${allowed},${messages},"\u017Ftream":true}`, '\u017Ftream'],
    [chat, `{${allowed},${messages},"Stream":true}`, 'Stream'],
    [chat, `{${allowed},${messages},"N":100}`, 'N'],
    [chat, `{${allowed},${messages},"Best_Of":100}`, 'Best_Of'],
    [chat, `{${allowed},${messages},"models":["gpt-4o"]}`, 'models'],
    [chat, `{${allowed},${messages},"Fallbacks":["gpt-4o"]}`, 'Fallbacks'],
    [
      chat,
      `{${allowed},${messages},"context_window_fallbacks":[{"gpt-3.5-turbo":["gpt-4o"]}]}`,
      'context_window_fallbacks',
    ],
    ['/v1/completions', `{${allowed},"prompt":"hi","Prompt":["a","b"]}`, 'Prompt'],
    ['/v1/completions', `{${allowed},"prompt":"hi","suffix":"a","Suffix":"b"}`, 'Suffix'],
    ['/v1/embeddings', `{${allowed},"input":"hi","Input":["a"]}`, 'Input'],
    ['/v1/engines/gpt-3.5-turbo/embeddings', '{"input":"hi","MODEL":"gpt-4o"}', 'MODEL'],
    ['/v1/images/generations', '{"model":"dall-e-2","prompt":"a key","Size":"1024x1024"}', 'Size'],
    ['/v1/audio/speech', `{${allowed},"input":"hi","INPUT":"much more"}`, 'INPUT'],
  ])('rejects %s with a duplicate or differently spelled key: %s', async (path, body, param) => {
    const before = sentBefore();
    const response = await scene.post(path, body);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'ambiguous_field', param });
    expect(sentBefore()).toBe(before);
  });

  test('accepts nested keys and fields with other names', async () => {
    const own = '"Temperature":1,"my_model":"x","extra":{"model":"a","Model":"b"}';
    expect((await scene.post(chat, `{${allowed},${messages},${own}}`)).status).toBe(200);
    expect(scene.upstreams[0]?.received.at(-1)?.text).toContain(own);
  });
});

test.each(['"true"', '1', '"false"', '[]', '{}'])(
  '[A15.5] rejects stream: %s, which some upstreams read as true',
  async (value) => {
    const before = sentBefore();
    const response = await scene.post(chat, `{${allowed},${messages},"stream":${value}}`);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain('stream is invalid');
    expect(sentBefore()).toBe(before);
  },
);

test.each([
  ['gpt-4o', 403, 'model_not_allowed'],
  ['GPT-3.5-turbo', 404, 'model_not_found'],
  ['gpt-3.5-turbo ', 404, 'model_not_found'],
  [' gpt-3.5-turbo', 404, 'model_not_found'],
  ['gpt-3.5-turb\u043E', 404, 'model_not_found'],
  ['gpt-3.5-turbo\u0000', 404, 'model_not_found'],
] as const)('[A15.3] matches the model list of a token exactly: %j returns %i', async (model, status, code) => {
  const before = sentBefore();
  const response = await scene.post(chat, { model, messages: [{ role: 'user', content: 'hi' }] });
  expect(response.status).toBe(status);
  expect(await errorOf(response)).toMatchObject({ code });
  expect(sentBefore()).toBe(before);
});

test('[A15.3] neither checks nor sends query parameters that duplicate body fields', async () => {
  const embedding = await relayFixture(app, { upstreams: [embeddingResponse], token: { models: 'gpt-3.5-turbo' } });
  const query = '?model=gpt-4o&n=100';
  await embedding.post(`/v1/embeddings${query}`, { model: 'gpt-3.5-turbo', input: 'hi' });
  await embedding.post(`/v1/engines/gpt-4o/embeddings${query}`, { model: 'gpt-3.5-turbo', input: 'hi' });
  const rejected = await embedding.post(`/v1/engines/gpt-4o/embeddings?model=gpt-3.5-turbo`, { input: 'hi' });
  expect(rejected.status).toBe(403);
  expect(embedding.upstreams[0]?.received).toMatchObject([
    { path: '/v1/embeddings', body: { model: 'gpt-3.5-turbo' } },
    { path: '/v1/embeddings', body: { model: 'gpt-3.5-turbo' } },
  ]);
  expect((await embedding.books()).logs).toMatchObject([
    { model_name: 'gpt-3.5-turbo' },
    { model_name: 'gpt-3.5-turbo' },
  ]);
  await embedding.close();
});

type Field = readonly [name: string, value: string | Blob];

const audio = new Blob([new Uint8Array(2000)], { type: 'audio/mpeg' });
const image = new Blob([new Uint8Array(2000)], { type: 'image/png' });

function sendForm(path: string, fields: readonly Field[]): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, 'a "file".bin');
  }
  return fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${scene.token.key}` },
    body,
  });
}

const hearing = '/v1/audio/transcriptions';
const sendRaw = (body: string): Promise<Response> =>
  fetch(`${app.url}${hearing}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${scene.token.key}`, 'content-type': 'multipart/form-data; boundary=x' },
    body,
  });
const drawing = '/v1/images/edits';

describe('[A15.4] ambiguous form fields', () => {
  test.each<[string, readonly Field[], string]>([
    [
      hearing,
      [
        ['file', audio],
        ['model', 'whisper-1'],
        ['model[]', 'gpt-4o'],
      ],
      'model[]',
    ],
    [
      hearing,
      [
        ['file', audio],
        ['model[]', 'whisper-1'],
        ['model', 'gpt-4o'],
      ],
      'model[]',
    ],
    [
      hearing,
      [
        ['file', audio],
        ['model', 'whisper-1'],
        ['model', 'gpt-4o'],
      ],
      'model',
    ],
    [
      hearing,
      [
        ['file', audio],
        ['model', 'whisper-1'],
        ['model', 'whisper-1'],
      ],
      'model',
    ],
    [
      hearing,
      [
        ['file', audio],
        ['model', 'whisper-1'],
        ['MODEL', 'gpt-4o'],
      ],
      'MODEL',
    ],
    [
      hearing,
      [
        ['file', audio],
        ['model', 'whisper-1'],
        ['model[0]', 'gpt-4o'],
      ],
      'model[0]',
    ],
    [
      hearing,
      [
        ['file', audio],
        ['model', 'whisper-1'],
        [' model', 'gpt-4o'],
      ],
      ' model',
    ],
    [
      hearing,
      [
        ['file', audio],
        ['file', audio],
        ['model', 'whisper-1'],
      ],
      'file',
    ],
    [
      drawing,
      [
        ['image', image],
        ['prompt', 'a key'],
        ['n', '1'],
        ['n', '10'],
      ],
      'n',
    ],
    [
      drawing,
      [
        ['image', image],
        ['prompt', 'a key'],
        ['n', '1'],
        ['N', '10'],
      ],
      'N',
    ],
    [
      drawing,
      [
        ['image', image],
        ['prompt', 'a key'],
        ['size', '256x256'],
        ['size[]', '1024x1024'],
      ],
      'size[]',
    ],
  ])('rejects %s with a duplicate or differently spelled field: %j', async (path, fields, param) => {
    const before = sentBefore();
    const response = await sendForm(path, fields);
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'ambiguous_field', param });
    expect(sentBefore()).toBe(before);
  });

  test('forwards a form as parsed: one model, texts and files unchanged', async () => {
    const prompt = 'first line\nsecond "line"\r\nthird';
    const field = (name: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = field('file"; filename="a%22b.mp3', 'sound');
    const times = ['word', 'segment'].map((time) => field('timestamp_granularities[]', time)).join('');
    await sendRaw(`${field('model', 'whisper-1')}${file}${field('prompt', prompt)}${times}--x--\r\n`);
    const seen = scene.upstreams[0]?.received.at(-1);
    const sent = await new Response(seen?.text, {
      headers: { 'content-type': String(seen?.headers['content-type']) },
    }).formData();
    const granularities = 'timestamp_granularities[]';
    expect([...sent.keys()]).toEqual(['model', 'file', 'prompt', granularities, granularities]);
    expect([sent.get('model'), sent.get('prompt')]).toEqual(['whisper-1', prompt]);
    expect(sent.getAll(granularities)).toEqual(['word', 'segment']);
    expect(await (sent.get('file') as File).text()).toBe('sound');
  });

  test('accepts several images under one name and sends the default model that was priced', async () => {
    const fields: Field[] = [
      ['image[]', image],
      ['image[]', image],
      ['prompt', 'a key'],
    ];
    const result = await sendForm(drawing, fields);
    expect(result.status).not.toBe(400);
    const seen = scene.upstreams[0]?.received.at(-1);
    expect(seen?.text.match(/name="image\[\]"/g)).toHaveLength(2);
    expect(seen?.text).toMatch(/name="model"\r\n\r\ndall-e-2\r\n/);
  });

  test('rejects a model sent as a file', async () => {
    const part = '--x\r\ncontent-disposition: form-data; name="model"; filename=""\r\n\r\nwhisper-1\r\n';
    const file = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nsound\r\n--x--\r\n';
    const response = await sendRaw(part + file);
    expect(response.status).toBe(400);
  });
});

describe('[A24.7] special names and bytes', () => {
  test('does not set request fields from `__proto__` and `constructor` keys', async () => {
    const trick = '{"model":"gpt-4o","messages":[],"n":100,"stream":true,"max_tokens":1}';
    const named = `"__proto__":${trick},"constructor":{"prototype":${trick}}`;
    expect((await scene.post(chat, `{${named}}`)).status).toBe(400);
    expect((await scene.post(chat, `{${messages},${named}}`)).status).toBe(400);
    const response = await scene.post(chat, `{${allowed},${messages},${named}}`);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.status).toBe(200);
    expect((await scene.books()).logs.at(-1)).toMatchObject({ model_name: 'gpt-3.5-turbo', is_stream: 0 });
    expect(({} as Record<string, unknown>)['model']).toBeUndefined();
  });

  test('treats a form field named `__proto__` as an ordinary field', async () => {
    const response = await sendForm(hearing, [
      ['__proto__', audio],
      ['constructor', 'x'],
      ['model', 'whisper-1'],
    ]);
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain('field file is required');
  });

  test.each([
    ['an invalid byte', [0xff]],
    ['an overlong encoding', [0xc1, 0xad]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
  ])('rejects bytes that are not UTF-8: %s', async (_, bytes) => {
    const before = sentBefore();
    const parts = [`{${allowed},"messages":[{"role":"user","content":"`, Buffer.from(bytes), '"}]}'];
    const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const response = await scene.post(chat, '', { body });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain('not valid UTF-8');
    expect(sentBefore()).toBe(before);
  });
});
