import {
  chatResponse,
  completion,
  done,
  namedEvents,
  plainPrice,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
  weatherCall,
  weatherCallChunks,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useWireFixtures, wireNamed } from '../../testing/relay/wire-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '1' } });
const { stageOf } = useWireFixtures(app);
const scenes: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

/** A channel that sends this response, and a second one that is tried only if the first one fails. */
async function sceneWith(respond: UpstreamHandler) {
  const scene = await relayFixture(app, { upstreams: [respond, completion()] });
  scenes.push(scene);
  return { ...scene, requested: () => scene.upstreams.map(({ received }) => received.length) };
}

describe('[A25.13] streams in response to a non-streaming chat request', () => {
  test('combines the stream into one response and charges it', async () => {
    const { chat, books, requested } = await sceneWith(
      stream([roleChunk, textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]),
    );
    const response = await chat();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toMatchObject({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: 'gpt-4o',
      usage: { prompt_tokens: 10 },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    });
    expect(requested()).toEqual([1, 0]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test('combines tool calls, and counts tokens if no usage is reported', async () => {
    const { chat, books } = await sceneWith(stream([...weatherCallChunks, stop, done]));
    const { choices } = (await (await chat()).json()) as ReturnType<typeof chatResponse>;
    expect(choices[0]?.message).toMatchObject({ tool_calls: weatherCall.tool_calls });
    const { logs } = await books();
    expect(logs).toMatchObject([{ type: 2 }]);
    expect(Number(logs[0]?.completion_tokens)).toBeGreaterThan(0);
  });

  test.each([
    ['contains an error', stream([`data: ${JSON.stringify({ error: { message: 'busy', code: 503 } })}\n\n`])],
    ['has no end', stream([textChunk('Hel')])],
    ['has no event', stream([': wait\n\n'])],
  ])('tries another channel if the stream %s', async (_, respond) => {
    const { chat, books, requested } = await sceneWith(respond);
    expect((await chat()).status).toBe(200);
    expect(requested()).toEqual([1, 1]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test.each(['Anthropic', 'Gemini'])('combines a stream in the %s format', async (name) => {
    const wire = wireNamed(name);
    const { scene, respondWith } = await stageOf(wire);
    respondWith(wire.respond({ isStream: true, isCall: false }));
    const response = await scene.chat({ model: wire.model });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    expect((await scene.books()).logs).toMatchObject([{ type: 2, prompt_tokens: 10, completion_tokens: 5 }]);
  });
});

const parseEvents = (text: string): unknown[] =>
  text
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: {')))
    .map((line) => JSON.parse(line.slice('data: '.length)));

describe('[A25.14] whole responses to a streaming chat request', () => {
  const charged = { type: 2, is_stream: 1, quota: plainPrice };
  const asEvents: UpstreamHandler = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of ['\n ', ...JSON.stringify(chatResponse(), null, 1)]) response.write(part);
    response.end();
  };

  test.each([
    ['is JSON', reply(chatResponse())],
    ['claims to be a stream', asEvents],
  ])('delivers the response as a stream and charges it if its content type %s', async (_, respond) => {
    const { chat, books, requested } = await sceneWith(respond);
    const response = await chat({ stream: true, stream_options: { include_usage: true } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const text = await response.text();
    const { id, created, model, usage } = chatResponse();
    const head = { id, created, model, object: 'chat.completion.chunk' };
    expect(parseEvents(text)).toEqual([
      {
        ...head,
        choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, logprobs: null, finish_reason: null }],
      },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...head, choices: [], usage },
    ]);
    expect(text.endsWith(done)).toBe(true);
    expect(requested()).toEqual([1, 0]);
    expect((await books()).logs).toMatchObject([charged]);
  });

  test('counts tokens if no usage is reported, numbers tool calls, and sends no usage unless requested', async () => {
    const { chat, books } = await sceneWith(reply({ ...chatResponse(weatherCall, 'tool_calls'), usage: undefined }));
    const [event, ...rest] = parseEvents(await (await chat({ stream: true })).text());
    expect(event).toMatchObject({ choices: [{ delta: { tool_calls: [{ index: 0, ...weatherCall.tool_calls[0] }] } }] });
    expect(rest).toHaveLength(1);
    const { logs } = await books();
    expect(logs).toMatchObject([{ type: 2 }]);
    expect(Number(logs[0]?.completion_tokens)).toBeGreaterThan(0);
  });

  test('delivers a legacy completion as a stream', async () => {
    const { chat: _, ...scene } = await sceneWith(
      reply({
        ...chatResponse(),
        object: 'text_completion',
        choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }],
      }),
    );
    const response = await scene.post('/v1/completions', { model: 'gpt-4o', prompt: 'hi', stream: true });
    expect(parseEvents(await response.text())).toMatchObject([
      { object: 'text_completion', choices: [{ text: 'Hello', finish_reason: null }] },
      { choices: [{ text: '', finish_reason: 'stop' }] },
    ]);
    expect((await scene.books()).logs).toMatchObject([charged]);
  });

  test.each([
    ['is an error', reply({ error: { message: 'busy', code: 503 } })],
    ['has no content', reply({ ok: true })],
    ['is cut off', (response) => response.writeHead(200).end('{"choices":[{"mess')],
  ] as [string, UpstreamHandler][])('tries another channel if the response %s', async (_, respond) => {
    const { chat, books, requested } = await sceneWith(respond);
    expect((await chat({ stream: true })).status).toBe(200);
    expect(requested()).toEqual([1, 1]);
    expect((await books()).logs).toMatchObject([charged]);
  });

  test('charges the request without counting a channel failure if the upstream stalls and the client disconnects', async () => {
    const isBegun = Promise.withResolvers<void>();
    const isCancelled = Promise.withResolvers<void>();
    const { chat, books } = await sceneWith((response) => {
      response.once('close', isCancelled.resolve);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices":', () => isBegun.resolve());
    });
    const gone = new AbortController();
    const left = chat({ stream: true }, { signal: gone.signal } as RequestInit).catch(() => 'left');
    await isBegun.promise;
    gone.abort();
    expect(await left).toBe('left');
    await isCancelled.promise;
    await expect.poll(async () => (await books()).logs).toMatchObject([{ type: 2, ended_by: 'client' }]);
  });

  test.each(['Anthropic', 'Gemini'])('converts a response in the %s format to events', async (name) => {
    const wire = wireNamed(name);
    const { scene, respondWith } = await stageOf(wire);
    respondWith(wire.respond({ isStream: false, isCall: false }));
    const text = await (await scene.chat({ model: wire.model, stream: true })).text();
    expect(parseEvents(text)[0]).toMatchObject({ choices: [{ delta: { content: 'Hello' } }] });
    expect((await scene.books()).logs).toMatchObject([{ type: 2, prompt_tokens: 10, completion_tokens: 5 }]);
  });
});

describe('responses in the OpenAI Responses format', () => {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
  };
  const whole = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    model: 'gpt-4o',
    status: 'completed',
    output: [message],
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  };
  const position = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  const inEvents = [
    { type: 'response.created', response: { ...whole, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: { ...message, status: 'in_progress', content: [] } },
    { type: 'response.output_text.delta', ...position, delta: 'Hello' },
    { type: 'response.output_text.done', ...position, text: 'Hello' },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.completed', response: whole },
  ];
  const send = async (respond: UpstreamHandler, body: object) => {
    const scene = await relayFixture(app, { upstreams: [respond, reply(whole)], channel: { type: 1 } });
    scenes.push(scene);
    const response = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi', ...body });
    const requested = scene.upstreams.map(({ received }) => received.map(({ path }) => path));
    return { response, requested, text: await response.text(), ...(await scene.books()) };
  };

  test('[A25.14] delivers a whole response as a stream and charges it', async () => {
    const { response, requested, text, logs } = await send(reply(whole), { stream: true });
    expect(requested).toEqual([['/v1/responses'], []]);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(parseEvents(text)).toContainEqual(
      expect.objectContaining({ type: 'response.output_text.delta', delta: 'Hello' }),
    );
    expect(parseEvents(text).at(-1)).toMatchObject({ type: 'response.completed' });
    expect(logs).toMatchObject([{ type: 2, is_stream: 1, quota: plainPrice }]);
  });

  test('[A25.13] combines a stream that was not requested into one response and charges it', async () => {
    const { response, requested, text, logs } = await send(stream(namedEvents(inEvents)), {});
    expect(requested).toEqual([['/v1/responses'], []]);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({
      object: 'response',
      status: 'completed',
      usage: { input_tokens: 10, output_tokens: 5 },
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
    });
    expect(logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });
});

describe('[A25.4] whole responses with both choices and an error', () => {
  const error = { message: 'busy', code: 503 };

  test('forwards and charges the response if the choices have content', async () => {
    const { chat, books, requested } = await sceneWith(reply({ ...chatResponse(), error }));
    expect(await (await chat()).json()).toEqual({ ...chatResponse(), error });
    expect(requested()).toEqual([1, 0]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test.each([
    ['are empty', { ...chatResponse(), choices: [], error }],
    ['have no content', { ...chatResponse({ content: '' }), error }],
    ['have no message', { ...chatResponse(), choices: [{ index: 0, finish_reason: 'error' }], error }],
    ['contain the error', { ...chatResponse(), choices: [{ index: 0, message: { content: '' }, error }] }],
  ])('tries another channel if the choices %s', async (_, response) => {
    const { chat, books, requested } = await sceneWith(reply(response));
    expect(await (await chat()).json()).toEqual(chatResponse());
    expect(requested()).toEqual([1, 1]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });
});
