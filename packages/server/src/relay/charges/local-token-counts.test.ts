import { optionApi } from '@headgate/contract';
import {
  chatResponse,
  chunk,
  done,
  reply,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneWith(respond: UpstreamHandler, channel: object = {}): Promise<Scene> {
  const scene = await relayFixture(app, { upstreams: [respond], channel: { ...channel } });
  scenes.push(scene);
  return scene;
}

/** gpt-4o: completion tokens cost four times as much as prompt tokens; the sum is multiplied by 2.5. */
const priceOf = (prompt: number, completion: number) => Math.ceil((prompt + completion * 4) * 2.5);

/** Expects one charge for these tokens and the method they were counted with. */
async function expectCharge(scene: Scene, prompt: number, completion: number, counted?: 'tokenizer' | 'estimate') {
  const { user, logs, drift } = await scene.books();
  const quota = priceOf(prompt, completion);
  expect(logs).toMatchObject([{ prompt_tokens: prompt, completion_tokens: completion, quota }]);
  expect(JSON.parse(logs[0]?.detail ?? '').counted).toBe(counted);
  expect(user).toMatchObject({ used_quota: quota, quota: 1_000_000 - quota });
  expect(drift).toBe(0);
}

const withoutUsage = (message: object) => reply({ ...chatResponse(message), usage: undefined });

/** Tokens of the prompt "hi": the word, its role, 3 around the message and 3 before the response. */
const hi = 8;
const sentence = 'The quick brown fox jumps over the lazy dog.';
const sentenceTokens = 10;

describe('whole responses without usage', () => {
  test.each([
    ['English text', { content: sentence }, sentenceTokens],
    ['Chinese text', { content: '人工智能正在改变世界' }, 5],
    ['code', { content: 'for (let i = 0; i < 10; i += 1) {\n  total += i;\n}\n' }, 25],
    ['reasoning', { content: sentence, reasoning_content: sentence }, 2 * sentenceTokens],
    [
      'a tool call',
      { content: null, tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
      7,
    ],
    ['a refusal', { content: null, refusal: sentence }, sentenceTokens],
    ['reasoning in a vendor field', { content: '', reasoning: sentence }, sentenceTokens],
    ['reasoning in details', { content: '', reasoning_details: [{ text: sentence }] }, sentenceTokens],
    [
      'parts',
      {
        content: [
          { type: 'text', text: sentence },
          { type: 'refusal', refusal: ' no' },
        ],
      },
      11,
    ],
    ['a legacy function call', { content: null, function_call: { name: 'weather', arguments: '{"city":"Oslo"}' } }, 7],
    ['audio', { content: null, audio: { data: 'A'.repeat(64_000), transcript: sentence } }, 20 + sentenceTokens],
    ['an image', { content: '', images: [{ type: 'image_url', image_url: { url: 'x' } }] }, 1000],
    ['special tokens in the text', { content: '<|endoftext|>' }, 7],
    ['an empty response', { content: '' }, 0],
  ])('counts the tokens of %s', async (_, message, tokens) => {
    const scene = await sceneWith(withoutUsage(message));
    expect((await scene.chat()).status).toBe(200);
    await expectCharge(scene, hi, tokens, 'tokenizer');
  });

  test('counts the tokens of a response in another format', async () => {
    const scene = await sceneWith(reply({ message: { role: 'assistant', content: sentence }, done: true }), {
      type: 30,
    });
    expect((await scene.chat()).status).toBe(200);
    await expectCharge(scene, hi, sentenceTokens, 'tokenizer');
  });

  test('charges reported usage without counting', async () => {
    const scene = await sceneWith(reply(chatResponse({ content: sentence })));
    await scene.chat();
    await expectCharge(scene, 10, 5, undefined);
  });
});

describe('prompts without reported usage', () => {
  /** OpenAI's published example with the token counts reported by its models. */
  const jargon = [
    {
      role: 'system',
      content: 'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
    },
    { role: 'system', name: 'example_user', content: 'New synergies will help drive top-line growth.' },
    { role: 'system', name: 'example_assistant', content: 'Things working well together will increase revenue.' },
    {
      role: 'system',
      name: 'example_user',
      content: "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
    },
    {
      role: 'system',
      name: 'example_assistant',
      content: "Let's talk later when we're less busy about how to do better.",
    },
    {
      role: 'user',
      content: "This late pivot means we don't have time to boil the ocean for the client deliverable.",
    },
  ];

  test.each([
    ['gpt-4o', 124],
    ['gpt-3.5-turbo', 129],
  ])('counts the prompt tokens that %s reports', async (model, tokens) => {
    const scene = await sceneWith(withoutUsage({ content: sentence }));
    await scene.chat({ model, messages: jargon });
    expect((await scene.books()).logs).toMatchObject([{ prompt_tokens: tokens, completion_tokens: sentenceTokens }]);
  });

  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };

  test.each([
    [
      'content parts',
      { messages: [{ role: 'user', content: [{ type: 'text', text: sentence }] }] },
      7 + sentenceTokens,
    ],
    ['an image', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }, 1007],
    ['a tool call', { messages: [{ role: 'assistant', content: null, tool_calls: [call] }] }, 7 + 7],
    ['tool definitions', { tools: [call] }, hi + 29],
    [
      'unusual values',
      { messages: [null, 7, 'x', {}, { role: 5, content: { text: [sentence] } }] },
      9 + sentenceTokens,
    ],
  ])('counts the tokens of %s in the prompt', async (_, body, tokens) => {
    const scene = await sceneWith(withoutUsage({ content: sentence }));
    expect((await scene.chat(body)).status).toBe(200);
    await expectCharge(scene, tokens, sentenceTokens, 'tokenizer');
  });

  test.each([
    ['a text', sentence, sentenceTokens],
    ['several texts', [sentence, sentence], 2 * sentenceTokens],
    ['token ids', [1, 2, 3], 3],
    ['lists of token ids', [[1, 2, 3], [4]], 4],
  ])('counts the tokens of an embedding of %s', async (_, input, tokens) => {
    const vector = { object: 'embedding', index: 0, embedding: [0.5] };
    const scene = await sceneWith(reply({ object: 'list', data: [vector] }));
    expect((await scene.post('/v1/embeddings', { model: 'gpt-4o', input })).status).toBe(200);
    await expectCharge(scene, tokens, 0, 'tokenizer');
  });
});

/** Splits text into chunks that do not align with tokens. */
const inPieces = (text: string, length = 7) => (text.match(new RegExp(`.{1,${length}}`, 'gsu')) ?? []).map(textChunk);

describe('streams without usage', () => {
  test('counts a stream while it is forwarded, for the first and later requests of a channel', async () => {
    const scene = await sceneWith(stream([...inPieces(sentence), stop, done]));
    await (await scene.chat({ stream: true })).text();
    await expectCharge(scene, hi, sentenceTokens, 'tokenizer');
    await (await scene.chat({ stream: true })).text();
    expect((await scene.books()).logs[1]).toMatchObject({ prompt_tokens: hi, completion_tokens: sentenceTokens });
  });

  test('counts a stream of any length', async () => {
    const long = `${sentence} `.repeat(2000);
    const scene = await sceneWith(stream([...inPieces(long, 700), stop, done]));
    for (const index of [0, 1]) {
      await (await scene.chat({ stream: true })).text();
      // The space after the last sentence is a token.
      expect((await scene.books()).logs[index]).toMatchObject({ completion_tokens: 2000 * sentenceTokens + 1 });
    }
  });

  test('counts the tokens of each choice and tool call', async () => {
    const contentChunk = (index: number, content: string) =>
      chunk({ content }).replace('"index":0', `"index":${index}`);
    const called = (index: number, given: object) => chunk({ tool_calls: [{ index, function: given }] });
    const events = [
      ...[
        contentChunk(0, 'The quick brown'),
        contentChunk(1, 'The quick bro'),
        contentChunk(0, ' fox jumps over the lazy'),
        contentChunk(1, 'wn fox'),
      ],
      ...[contentChunk(0, ' dog.'), contentChunk(1, ' jumps over the lazy dog.')],
      ...[called(0, { name: 'weather', arguments: '' }), called(1, { name: 'weather', arguments: '{"ci' })],
      ...[called(0, { arguments: '{"city":"Oslo"}' }), called(1, { arguments: 'ty":"Oslo"}' })],
      chunk({ reasoning_content: sentence }),
    ];
    const scene = await sceneWith(stream([...events, stop, done]));
    await (await scene.chat({ stream: true })).text();
    await expectCharge(scene, hi, 3 * sentenceTokens + 2 * 7, 'tokenizer');
  });

  test('counts a stream in another format', async () => {
    const lines = sentence.split(/(?= )/).map((content) => JSON.stringify({ message: { content } }));
    const scene = await sceneWith(stream([...lines, JSON.stringify({ done: true })].map((line) => `${line}\n`)), {
      type: 30,
    });
    await (await scene.chat({ stream: true })).text();
    await expectCharge(scene, hi, sentenceTokens, 'tokenizer');
  });

  test('counts a completions stream', async () => {
    const event = (text: string) => `data: ${JSON.stringify({ choices: [{ index: 0, text }] })}\n\n`;
    const scene = await sceneWith(stream([event('The quick brown fox jumps'), event(' over the lazy dog.'), done]));
    await (await scene.post('/v1/completions', { model: 'gpt-4o', prompt: sentence, stream: true })).text();
    await expectCharge(scene, sentenceTokens, sentenceTokens, 'tokenizer');
  });

  test('counts a stream from a channel that used to report usage', async () => {
    const scene = await sceneWith(stream([...inPieces(sentence), stop, usageEvent, done]));
    await (await scene.chat({ stream: true })).text();
    const [upstream] = scene.upstreams;
    if (upstream) upstream.handler = stream([...inPieces(sentence), stop, done]);
    await (await scene.chat({ stream: true })).text();
    await (await scene.chat({ stream: true })).text();
    const { logs } = await scene.books();
    expect(logs.map(({ prompt_tokens, completion_tokens }) => [prompt_tokens, completion_tokens])).toEqual([
      [10, 5],
      [hi, sentenceTokens],
      [hi, sentenceTokens],
    ]);
    expect(logs.map(({ detail }) => JSON.parse(detail).counted)).toEqual([undefined, 'tokenizer', 'tokenizer']);
  });
});

describe('clients that disconnect early', () => {
  async function leaveAfter(scene: Scene, last: string) {
    const gone = new AbortController();
    const response = await scene.chat({ stream: true }, { signal: gone.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      seen += piece.value;
      if (seen.includes(last)) break;
    }
    expect(seen).toContain(last);
    gone.abort();
    await scene.upstreams[0]?.received.at(-1)?.left;
    await expect.poll(async () => (await scene.books()).logs.at(-1)?.content).toBe('Client disconnected');
  }

  const halfStream = stream([...inPieces(sentence)], 'stall');

  test('[A4.2] [A4.3] charges the output sent so far', async () => {
    const scene = await sceneWith(halfStream);
    await leaveAfter(scene, 'g."');
    await expectCharge(scene, hi, sentenceTokens, 'tokenizer');
  });

  test('[A4.9] charges the output sent so far if the channel would have reported usage', async () => {
    const scene = await sceneWith(stream([stop, usageEvent, done]));
    await (await scene.chat({ stream: true })).text();
    const [upstream] = scene.upstreams;
    if (upstream) upstream.handler = halfStream;
    await leaveAfter(scene, 'g."');
    const { logs } = await scene.books();
    expect(logs[1]).toMatchObject({ prompt_tokens: hi, completion_tokens: sentenceTokens });
    expect(JSON.parse(logs[1]?.detail ?? '').counted).toBe('tokenizer');
  });

  test('charges the output sent so far if the upstream reported only initial usage', async () => {
    const event = (data: { type: string; [name: string]: unknown }) =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    const begin = { id: 'msg_1', role: 'assistant', content: [], usage: { input_tokens: 30, output_tokens: 1 } };
    const words = sentence.split(/(?= )/);
    const events = [
      event({ type: 'message_start', message: begin }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...words.map((text) => event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    ];
    const scene = await sceneWith(stream(events, 'stall'), { type: 14 });
    await leaveAfter(scene, 'g."');
    await expectCharge(scene, 30, sentenceTokens, 'tokenizer');
  });
});

test('[S3.53] ApproximateTokenEnabled estimates tokens from the text length', async () => {
  const root = await app.signedIn('root', '123456');
  const set = (value: string) => root.call(optionApi.update, { body: { key: 'ApproximateTokenEnabled', value } });
  await set('true');
  // One word, one message and the tokens before the response.
  const prompt = 1 + 4 + 3;
  const completion = Math.ceil(sentence.length * 0.38);
  const whole = await sceneWith(withoutUsage({ content: sentence }));
  await whole.chat();
  await expectCharge(whole, prompt, completion, 'estimate');
  const streamed = await sceneWith(stream([...inPieces(sentence), stop, done]));
  await (await streamed.chat({ stream: true })).text();
  await expectCharge(streamed, prompt, completion, 'estimate');
  const converted = await sceneWith(reply({ message: { content: sentence }, done: true }), { type: 30 });
  await converted.chat();
  await expectCharge(converted, prompt, completion, 'estimate');
  await set('false');
  await converted.chat();
  expect((await converted.books()).logs[1]).toMatchObject({ prompt_tokens: hi, completion_tokens: sentenceTokens });
});
