import { chunk, done, stop, stream, textChunk, type UpstreamHandler, usageEvent } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

/** A channel that reports usage for the first request and then sends the given response. */
async function tellingScene(respond: UpstreamHandler): Promise<Scene> {
  const scene = await relayFixture(app, { upstreams: [stream([textChunk('Hello'), stop, usageEvent, done])] });
  scenes.push(scene);
  await (await scene.chat({ stream: true })).text();
  const [upstream] = scene.upstreams;
  if (upstream) upstream.handler = respond;
  return scene;
}

const prompt = 8;
/** Ten tokens, with or without a leading space. */
const sentence = 'The quick brown fox jumps over the lazy dog.';
const words = sentence.split(/(?= )/);
const events = 33 * words.length;
const tokensInAll = 33 * 10;
const word = (index: number) => (index > 0 && index % words.length === 0 ? ' ' : '') + words[index % words.length];
const call = (given: string) => ({ index: 0, function: { arguments: given } });

/** One second of audio is 64,000 base64 characters and counts as 20 tokens. */
const sound = 'A'.repeat(6400);
/** Two tokens. */
const tenSealed = 'A'.repeat(10);
const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(5000)}` } };

const spoken: readonly [name: string, delta: (index: number) => object, tokens: number][] = [
  ['[A4.2] text', (index) => ({ content: word(index) }), tokensInAll],
  ['[A4.4] reasoning', (index) => ({ reasoning: word(index) }), tokensInAll],
  ['[A4.4] reasoning with empty text', (index) => ({ content: '', reasoning_content: word(index) }), tokensInAll],
  [
    '[A4.4] reasoning in details',
    (index) => ({ reasoning_details: [{ type: 'reasoning.text', text: word(index) }] }),
    tokensInAll,
  ],
  ['[A4.4] a refusal', (index) => ({ refusal: word(index) }), tokensInAll],
  ['[A4.4] tool arguments', (index) => ({ tool_calls: [call(word(index))] }), tokensInAll],
  ['[A4.4] function arguments', (index) => ({ function_call: { arguments: word(index) } }), tokensInAll],
  ['[A4.5] an array of parts', (index) => ({ content: [{ type: 'text', text: word(index) }] }), tokensInAll],
  ['[A4.5] a transcript', (index) => ({ audio: { transcript: word(index) } }), tokensInAll],
  ['[A4.5] audio', () => ({ audio: { data: sound } }), (events / 10) * 20],
  ['[A4.5] images', (index) => ({ images: index % 100 === 0 ? [picture] : [] }), 3000],
  [
    '[A4.11] encrypted reasoning with text',
    (index) => ({ content: word(index), reasoning_details: [{ type: 'reasoning.encrypted', data: tenSealed }] }),
    tokensInAll + 2 * events,
  ],
  [
    '[A4.11] the signature of a call in Google’s OpenAI format',
    (index) => ({
      tool_calls: [{ ...call(word(index)), extra_content: { google: { thought_signature: tenSealed } } }],
    }),
    tokensInAll + 2 * events,
  ],
  ['[A4.4] text in an unknown field', (index) => ({ musing: word(index) }), tokensInAll],
];

/** Reads until the mark, then disconnects. */
async function leaveAt(scene: Scene, mark: string, body: object = {}): Promise<void> {
  const gone = new AbortController();
  const response = await scene.chat({ stream: true, ...body }, { signal: gone.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let seen = '';
  while (!seen.includes(mark)) seen = seen.slice(-mark.length) + ((await reader?.read())?.value ?? mark);
  gone.abort();
  await scene.upstreams[0]?.received.at(-1)?.left;
  await expect.poll(async () => (await scene.books()).logs.at(-1)?.content).toBe('Client disconnected');
}

const mark = 'data: {"id":"the end"}';

describe('charges for delivered output', () => {
  test.each(spoken)('charges delivered output when the client disconnects: %s', async (_, delta, tokens) => {
    const messages = Array.from({ length: events }, (__, index) => chunk(delta(index)));
    const scene = await tellingScene(stream([...messages, `${mark}\n\n`], 'stall'));
    await leaveAt(scene, mark);
    await expectTokens(scene, tokens);
  });

  test.each(spoken)('[A4.9] charges delivered output when the stream breaks: %s', async (_, delta, tokens) => {
    const messages = Array.from({ length: events }, (__, index) => chunk(delta(index)));
    const scene = await tellingScene(stream(messages, 'end'));
    expect(await (await scene.chat({ stream: true })).text()).toContain('unexpected end');
    await expectTokens(scene, tokens);
  });

  test('[A4.4] charges events without choices, as other dialects send them', async () => {
    const foreign = (index: number) =>
      `data: ${JSON.stringify({ type: 'response.output_text.delta', item_id: 'msg_1', delta: word(index) })}\n\n`;
    const messages = Array.from({ length: events }, (_, index) => foreign(index));
    const scene = await tellingScene(stream([textChunk('Hello'), ...messages, `${mark}\n\n`], 'stall'));
    await leaveAt(scene, mark);
    await expectTokens(scene, tokensInAll + 1);
  });

  async function expectTokens(scene: Scene, tokens: number): Promise<void> {
    const { logs, user, drift } = await scene.books();
    const quota = (prompt + tokens * 4) * 2.5;
    expect(logs.at(-1)).toMatchObject({ prompt_tokens: prompt, completion_tokens: tokens, quota });
    expect(JSON.parse(logs.at(-1)?.detail ?? '{}').counted).toBe('tokenizer');
    expect([user.used_quota, drift]).toEqual([logs.reduce((sum, { quota }) => sum + quota, 0), 0]);
  }

  test('[A4.2] charges the delivered part when the client disconnects from a long, partly buffered response', async () => {
    const long = Array.from({ length: 100 }, () => textChunk(`${sentence} `.repeat(50)));
    const scene = await tellingScene(stream([...long, `${mark}\n\n`], 'stall'));
    await leaveAt(scene, mark);
    // The space after the last sentence is a token.
    expect((await scene.books()).logs.at(-1)).toMatchObject({ completion_tokens: 100 * 50 * 10 + 1 });
  });

  test('[A4.3] charges the reported usage if the upstream sent it at the end of the response', async () => {
    const scene = await tellingScene(stream([textChunk(sentence), stop, usageEvent, `${mark}\n\n`], 'stall'));
    await leaveAt(scene, mark);
    expect((await scene.books()).logs.at(-1)).toMatchObject({ prompt_tokens: 10, completion_tokens: 5 });
  });

  test.each([
    ['the reported usage, which exceeds the output', 70, 70],
    ['the output, which exceeds the reported usage', 3, 10],
  ])('[A4.3] charges %s of an unfinished response', async (_, reported, charged) => {
    const usage = { prompt_tokens: 10, completion_tokens: reported };
    const told = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: sentence } }], usage })}\n\n`;
    const scene = await tellingScene(stream([told, `${mark}\n\n`], 'stall'));
    await leaveAt(scene, mark);
    expect((await scene.books()).logs.at(-1)).toMatchObject({ prompt_tokens: 10, completion_tokens: charged });
  });
});
