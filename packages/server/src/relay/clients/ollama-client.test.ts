import {
  chatResponse,
  chunk,
  completion,
  done,
  embeddingResponse,
  imageUrl,
  plainPrice,
  reply,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
  weatherCall,
  weatherCallChunks,
  weatherTool,
} from '@headgate/testkit';
import { type Message, Ollama } from 'ollama';
import { afterAll, describe, expect, test } from 'vitest';
import { type ClientFixture, clientFixtures } from '../../testing/relay/client-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes = clientFixtures(app);
afterAll(() => scenes.close());

/** Configured with only the address and the key, as for an Ollama server behind a proxy. */
const clientOf = ({ token }: Pick<ClientFixture, 'token'>) =>
  new Ollama({ host: app.url, headers: { Authorization: `Bearer sk-${token.key}` } });

const model = 'gpt-4o';
const messages: Message[] = [{ role: 'user', content: 'weather?' }];
const wholeStream = stream([textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);
const callStream = stream([...weatherCallChunks, chunk({}, 'tool_calls'), usageEvent, done]);

/** Calls the tool until there are `times` results, then returns text. */
const calling =
  (times: number, call: UpstreamHandler, last: UpstreamHandler): UpstreamHandler =>
  (response, request) => {
    const sentMessages = request.body['messages'] as readonly { role: string }[];
    const results = sentMessages.filter(({ role }) => role === 'tool').length;
    return (results < times ? call : last)(response, request);
  };

describe('the official ollama client', () => {
  test('lists models, shows a model, and gets 404 for an unknown model', async () => {
    const scene = await scenes.open(completion(), { models: 'gpt-4o,text-embedding-3-small' });
    const client = clientOf(scene);
    const { models } = await client.list();
    expect(models.map(({ name }) => name)).toEqual(['gpt-4o', 'text-embedding-3-small']);
    const shown = await client.show({ model });
    expect(shown.capabilities).toEqual(['completion', 'tools']);
    await expect(client.show({ model: 'nobody' })).rejects.toMatchObject({ status_code: 404 });
    expect((await client.version()).version).toMatch(/^\d+\.\d+\.\d+$/);
    await expect(client.pull({ model })).rejects.toMatchObject({ error: expect.stringContaining('Invalid URL') });
  });

  test('chats, whole and streamed, with an image and with JSON', async () => {
    const scene = await scenes.open(completion());
    const image = imageUrl.slice(imageUrl.indexOf(',') + 1);
    const whole = await clientOf(scene).chat({
      model,
      messages: [{ role: 'user', content: 'hi', images: [image] }],
      format: { type: 'object', properties: {} },
      options: { temperature: 0.5, num_predict: 20 },
    });
    expect(whole).toMatchObject({ message: { content: 'Hello' }, done: true, done_reason: 'stop', eval_count: 5 });
    expect(scene.seen()[0]?.body).toMatchObject({ temperature: 0.5, response_format: { type: 'json_schema' } });
    expect(JSON.stringify(scene.seen()[0]?.body)).toContain(imageUrl);
    const streaming = await scenes.open(wholeStream);
    const pieces = await Array.fromAsync(await clientOf(streaming).chat({ model, messages, stream: true }));
    expect(pieces.map(({ message }) => message.content).join('')).toBe('Hello');
    expect(pieces.at(-1)).toMatchObject({ done: true, done_reason: 'stop', prompt_eval_count: 10, eval_count: 5 });
    expect((await streaming.books()).user.used_quota).toBe(plainPrice);
  });

  test('runs a three-turn tool loop with whole responses', async () => {
    const scene = await scenes.open(calling(2, reply(chatResponse(weatherCall, 'tool_calls')), completion()));
    const history: Message[] = [...messages];
    for (let turn = 0; turn < 3; turn += 1) {
      const { message } = await clientOf(scene).chat({ model, messages: history, tools: [weatherTool] });
      history.push(message, ...resultsOf(message));
    }
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
    expect(history.at(-1)?.content).toBe('Hello');
    expect(scene.seen()[2]?.body).toMatchObject({
      messages: [{}, {}, { role: 'tool', content: 'rain in Oslo' }, {}, { role: 'tool', content: 'rain in Oslo' }],
    });
    expect((await scene.books()).user.used_quota).toBe(3 * plainPrice);
  });

  test('runs a tool loop with streams in which a tool call arrives complete', async () => {
    const scene = await scenes.open(calling(1, callStream, wholeStream));
    const first = await Array.fromAsync(
      await clientOf(scene).chat({ model, messages, tools: [weatherTool], stream: true }),
    );
    const calls = first.flatMap(({ message }) => message.tool_calls ?? []);
    expect(calls).toMatchObject([{ function: { name: 'weather', arguments: { city: 'Oslo' } } }]);
    const callTurn: Message = { role: 'assistant', content: '', tool_calls: calls };
    const second = await clientOf(scene).chat({
      model,
      messages: [...messages, callTurn, ...resultsOf(callTurn)],
      tools: [weatherTool],
      stream: true,
    });
    const pieces = await Array.fromAsync(second);
    expect(pieces.map(({ message }) => message.content).join('')).toBe('Hello');
  });

  test('generates text, whole and streamed', async () => {
    const scene = await scenes.open(completion());
    const whole = await clientOf(scene).generate({ model, prompt: 'hi', system: 'Be brief' });
    expect(whole).toMatchObject({ response: 'Hello', done: true, done_reason: 'stop', eval_count: 5 });
    const streaming = await scenes.open(wholeStream);
    const pieces = await Array.fromAsync(await clientOf(streaming).generate({ model, prompt: 'hi', stream: true }));
    expect(pieces.map(({ response }) => response).join('')).toBe('Hello');
  });

  test('fills in the middle, whole and streamed, and loads a model', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5 };
    const filled = reply({ choices: [{ text: 'a + b', finish_reason: 'length' }], created: 1, usage });
    const scene = await scenes.open(filled);
    const hole = { model, prompt: 'return ', suffix: ';' };
    const whole = await clientOf(scene).generate(hole);
    expect(whole).toMatchObject({ response: 'a + b', done: true, done_reason: 'length', eval_count: 5 });
    const pieces = await Array.fromAsync(await clientOf(scene).generate({ ...hole, stream: true }));
    expect(pieces.map(({ response, done }) => [response, done])).toEqual([['a + b', true]]);
    expect(await clientOf(scene).chat({ model, messages: [] })).toMatchObject({ done: true, done_reason: 'load' });
    expect(scene.seen()).toHaveLength(2);
  });

  test('embeds several texts', async () => {
    const scene = await scenes.open(embeddingResponse);
    const { embeddings } = await clientOf(scene).embed({ model, input: ['one', 'two'] });
    expect(embeddings).toEqual([
      [0.5, -1],
      [0.5, -1],
    ]);
  });

  test('throws for an unknown key, insufficient quota and a broken stream', async () => {
    const stranger = new Ollama({ host: app.url, headers: { Authorization: 'Bearer sk-nobody' } });
    await expect(stranger.list()).rejects.toMatchObject({ status_code: 401 });
    const poor = await scenes.open(completion(), { quota: 10 });
    await expect(clientOf(poor).chat({ model, messages })).rejects.toMatchObject({ status_code: 402 });
    const broken = await scenes.open(stream([textChunk('Hel'), 'data: {"error":{"message":"gone"}}\n\n']));
    const pieces = Array.fromAsync(await clientOf(broken).chat({ model, messages, stream: true }));
    await expect(pieces).rejects.toThrow('gone');
  });
});

function resultsOf({ tool_calls: calls = [] }: Message): Message[] {
  return calls.map(({ function: { name, arguments: given } }) => ({
    role: 'tool',
    content: `rain in ${given['city']}`,
    tool_name: name,
  }));
}
