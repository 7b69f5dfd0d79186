import { reply, stream, type UpstreamAnswer } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayScene } from '../testing/relay-scene.ts';
import { useTestApp } from '../testing/test-app.ts';
import {
  chatReply,
  completion,
  done,
  opening,
  piece,
  plainPrice,
  stop,
  usageEvent,
  weatherCall,
  weatherCallChunks,
} from '../testing/upstream-answers.ts';
import { useWireStages, wireNamed } from '../testing/wires/wire-stage.ts';

const app = await useTestApp({ options: { RetryTimes: '1' } });
const { stageOf } = useWireStages(app);
const scenes: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

/** A channel that answers so, and one that would be asked if the first were thought to have failed. */
async function sceneWith(answer: UpstreamAnswer) {
  const scene = await relayScene(app, { upstreams: [answer, completion()] });
  scenes.push(scene);
  return { ...scene, asked: () => scene.upstreams.map(({ seen }) => seen.length) };
}

describe('[A25.13] a chat that was not asked for as a stream and comes as one', () => {
  test('is put together, and charged', async () => {
    const { chat, books, asked } = await sceneWith(
      stream([opening, piece('Hel'), piece('lo'), stop, usageEvent, done]),
    );
    const response = await chat();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toMatchObject({
      ...{ id: 'chatcmpl-1', object: 'chat.completion', model: 'gpt-4o', usage: { prompt_tokens: 10 } },
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
    });
    expect(asked()).toEqual([1, 0]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test('has its calls of tools put together, and is counted where no usage is told', async () => {
    const { chat, books } = await sceneWith(stream([...weatherCallChunks, stop, done]));
    const { choices } = (await (await chat()).json()) as ReturnType<typeof chatReply>;
    expect(choices[0]?.message).toMatchObject({ tool_calls: weatherCall.tool_calls });
    const { logs } = await books();
    expect(logs).toMatchObject([{ type: 2 }]);
    expect(Number(logs[0]?.completion_tokens)).toBeGreaterThan(0);
  });

  test.each([
    ['holds an error', stream([`data: ${JSON.stringify({ error: { message: 'busy', code: 503 } })}\n\n`])],
    ['has no end', stream([piece('Hel')])],
    ['has no event', stream([': wait\n\n'])],
  ])('and %s: another channel is tried', async (_, answer) => {
    const { chat, books, asked } = await sceneWith(answer);
    expect((await chat()).status).toBe(200);
    expect(asked()).toEqual([1, 1]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test.each(['Anthropic', 'Gemini'])('is put together from the words of %s', async (name) => {
    const wire = wireNamed(name);
    const { scene, answerWith } = await stageOf(wire);
    answerWith(wire.answer({ isStream: true, isCall: false }));
    const response = await scene.chat({ model: wire.model });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    expect((await scene.books()).logs).toMatchObject([{ type: 2, prompt_tokens: 10, completion_tokens: 5 }]);
  });
});

describe('[A25.4] a whole answer with an error beside its choices', () => {
  const error = { message: 'busy', code: 503 };

  test('is an answer where they say something: it passes as it came, and is charged', async () => {
    const { chat, books, asked } = await sceneWith(reply({ ...chatReply(), error }));
    expect(await (await chat()).json()).toEqual({ ...chatReply(), error });
    expect(asked()).toEqual([1, 0]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });

  test.each([
    ['are none', { ...chatReply(), choices: [], error }],
    ['say nothing', { ...chatReply({ content: '' }), error }],
    ['have no message', { ...chatReply(), choices: [{ index: 0, finish_reason: 'error' }], error }],
    ['hold it', { ...chatReply(), choices: [{ index: 0, message: { content: '' }, error }] }],
  ])('is an error where they %s: another channel is tried', async (_, answer) => {
    const { chat, books, asked } = await sceneWith(reply(answer));
    expect(await (await chat()).json()).toEqual(chatReply());
    expect(asked()).toEqual([1, 1]);
    expect((await books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
  });
});
