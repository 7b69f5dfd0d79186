import { setTimeout as sleep } from 'node:timers/promises';
import {
  chatResponse,
  done,
  plainPrice,
  reply,
  StubUpstream,
  stream,
  textChunk,
  type UpstreamHandler,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const key = 'aB3-dEf6.hIj9_kLm2nOp5';
const base64 = ['', ':', 'me'].map((before) => Buffer.from(before + key).toString('base64'));
const spellings = [key, ...base64, ...base64.map((text) => Buffer.from(text, 'base64').toString('base64url'))];

const event = (body: { readonly type?: string } & Readonly<Record<string, unknown>>) =>
  `${body.type ? `event: ${body.type}\n` : ''}data: ${JSON.stringify(body)}\n\n`;

function claudeReply(text: string, isStream: boolean): UpstreamHandler {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', usage };
  if (!isStream) return reply({ ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn' });
  return stream([
    event({ type: 'message_start', message: { ...message, content: [] } }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
    event({ type: 'message_stop' }),
  ]);
}

function geminiReply(text: string, isStream: boolean): UpstreamHandler {
  const response = {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  };
  return isStream ? stream([event(response)]) : reply(response);
}

function expectNoKey(text: string): void {
  for (const spelling of spellings) expect(text).not.toContain(spelling.slice(4, -4));
}

describe('[A33.4] keys in forwarded streams', () => {
  const streamed = async (...parts: readonly string[]) => {
    const scene = await relayFixture(app, { upstreams: [stream([...parts])], channel: { key } });
    scenes.push(scene);
    const response = await scene.chat({ stream: true });
    expect(response.status).toBe(200);
    return response.text();
  };

  test.each(spellings)('keys are masked in comments, names, ids and data that is not JSON: %s', async (spelling) => {
    const odd = [`: via ${spelling}\n\n`, `event: ${spelling}\n`, `id: ${spelling}\n`, `other${spelling}\n`];
    const text = await streamed(...odd, textChunk('Hello'), `data: key=${spelling}\n\n`, textChunk(' you'), done);
    expect(text).toContain('Hello');
    expect(text).toContain(' you');
    expect(text).toMatch(/: via \S{0,4}\*{3}/);
    expectNoKey(text);
  });

  test('keys are masked anywhere in a response event', async () => {
    const event = textChunk('Hello').replace('{', `{"served_with":"${key}",`);
    const text = await streamed(event, textChunk(`the key is ${key}.`), done);
    expect(text).toContain('the key is **');
    expectNoKey(text);
  });

  test('keys are masked when they arrive in several chunks', async () => {
    const line = `: via ${key} and ${base64[0]}\n\n`;
    const text = await streamed(textChunk('Hello'), ...line, textChunk(' you'), done);
    expect(text).toMatch(/: via \S{0,4}\*{3}/);
    expect(text).toContain(' you');
    expectNoKey(text);
  });

  test.each(spellings)('keys are masked inside a response event: %s', async (spelling) => {
    const event = textChunk('Hello').replace('{', `{"served_with":"${spelling}",`);
    const text = await streamed(event, textChunk(`the key is ${spelling}.`), done);
    expect(text).toMatch(/"served_with":"\S{0,4}\*{3}/);
    expect(text).toContain('the key is ');
    expectNoKey(text);
  });

  test.each([
    ['Anthropic', 14, 'claude-sonnet-4-5'],
    ['Gemini', 24, 'gemini-2.5-flash'],
  ])('[A33.6] keys are masked in a translated response: %s', async (_, type, model) => {
    for (const isStream of [true, false]) {
      const message = `the key is ${spellings[1]} or ${key}.`;
      const upstreams = [type === 14 ? claudeReply(message, isStream) : geminiReply(message, isStream)];
      const scene = await relayFixture(app, { upstreams, channel: { key, type, models: model } });
      scenes.push(scene);
      const text = await (await scene.chat({ model, stream: isStream })).text();
      expect(text).toContain('the key is ***');
      expectNoKey(text);
    }
  });

  test('keys are not masked if they are short enough to be an ordinary word', async () => {
    const scene = await relayFixture(app, {
      upstreams: [stream([textChunk('ollama is'), done])],
      channel: { key: 'ollama' },
    });
    scenes.push(scene);
    expect(await (await scene.chat({ stream: true })).text()).toContain('ollama is');
  });
});

describe('[A33.6] keys in whole responses', () => {
  const responded = async (path: string, body: object, respond: UpstreamHandler) => {
    const scene = await relayFixture(app, { upstreams: [respond], channel: { key, models: 'gpt-4o,tts-1' } });
    scenes.push(scene);
    const response = await scene.post(path, { model: 'gpt-4o', ...body });
    expect(response.status).toBe(200);
    return { scene, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const messages = [{ role: 'user', content: 'hi' }];

  test.each(spellings)(
    'keys in a whole response are masked, and the response is charged by its usage: %s',
    async (spelling) => {
      const respond = reply({ ...chatResponse({ content: `the key is ${spelling}.` }), via: spelling });
      const { scene, bytes } = await responded('/v1/chat/completions', { messages }, respond);
      expect(JSON.parse(bytes.toString())).toMatchObject({ via: expect.stringContaining('***') });
      expectNoKey(bytes.toString());
      expect((await scene.books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
    },
  );

  test('keys are masked in responses without usage and in embeddings', async () => {
    const { usage: _, ...untold } = chatResponse({ content: `the key is ${key}.` });
    expectNoKey((await responded('/v1/chat/completions', { messages }, reply(untold))).bytes.toString());
    const vectors = { object: 'list', data: [], via: base64[2], usage: { prompt_tokens: 1, total_tokens: 1 } };
    expectNoKey((await responded('/v1/embeddings', { input: 'hi' }, reply(vectors))).bytes.toString());
  });

  test('keys are masked in a response too long to buffer, regardless of where it is split', async () => {
    const filling = 'x'.repeat(8 * 1024 * 1024);
    const start = `{"choices":[{"index":0,"message":{"role":"assistant","content":"${filling}`;
    const end = `"}}],"usage":{"prompt_tokens":10,"completion_tokens":5}}`;
    const respond: UpstreamHandler = async (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`${start}${key}`);
      for (const part of ` and ${base64[1]} and ${key.slice(0, 9)}`) {
        response.write(part);
        await sleep(1);
      }
      response.end(end);
    };
    const { bytes } = await responded('/v1/chat/completions', { messages }, respond);
    const text = bytes.subarray(start.length - 1).toString();
    expect(text).toMatch(/^x\*+ and \S*\*+\S* and /);
    expect(text.endsWith(` and ${key.slice(0, 9)}${end}`)).toBe(true);
    expectNoKey(text);
  });

  test('keys are masked in speech, which is otherwise unchanged', async () => {
    const audio = Buffer.from([0xff, 0xfb, 0x90, 0x00, 0x80]);
    const respond: UpstreamHandler = (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(Buffer.concat([audio, Buffer.from(key), audio, Buffer.from(key.slice(0, 7))]));
    };
    const { bytes } = await responded('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' }, respond);
    expect(bytes).toEqual(Buffer.concat([audio, Buffer.from('***'), audio, Buffer.from(key.slice(0, 7))]));
  });
});

describe('[A33.5] keys in successful proxied responses', () => {
  const proxied = async (respond: UpstreamHandler) => {
    const upstream = await StubUpstream.start(respond);
    const scene = await relayFixture(app, { upstreams: [stream([done])] });
    scenes.push(scene, upstream);
    await createChannel(scene.admin, scene.group, upstream.url, { type: 43, key: `Bearer ${key}`, models: '' });
    const { id } = await app.database
      .selectFrom('channels')
      .select('id')
      .where('type', '=', 43)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const headers = { authorization: `Bearer sk-${scene.token.key}` };
    const response = await fetch(`${app.url}/v1/proxy/${id}/whoami`, { headers });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const inPieces =
    (pieces: readonly (string | Buffer)[], pauseMs = 0): UpstreamHandler =>
    async (response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      for (const part of pieces) {
        response.write(part);
        await sleep(pauseMs);
      }
      response.end();
    };

  test.each(spellings)('keys in a proxied response are masked: %s', async (spelling) => {
    const { bytes } = await proxied(inPieces([`<a ${spelling}>${spelling}</a>`]));
    expect(bytes.toString()).toMatch(/^<a \S*\*{3}\S*>\S*\*{3}\S*<\/a>$/);
    expectNoKey(bytes.toString());
  });

  test('keys in a proxied response are masked regardless of where it is split', async () => {
    const text = `one ${key} two ${base64[1]} three`;
    const { bytes } = await proxied(inPieces([...text], 1));
    expect(bytes.toString()).toMatch(/^one \*+ two \S*\*+\S* three$/);
    expectNoKey(bytes.toString());
  });

  test('partial keys and other bytes in a proxied response are unchanged', async () => {
    const odd = Buffer.from([0xff, 0x00, 0x80, 0xc3, 0x28]);
    const pieces = ['<', key.slice(0, 9), odd, key.slice(0, 15), '>', odd, key.slice(0, 5)];
    const { bytes } = await proxied(inPieces(pieces, 1));
    expect(bytes).toEqual(Buffer.concat(pieces.map((part) => Buffer.from(part as string))));
  });
});
