import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  chatResponse,
  completion,
  done,
  reply,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { expect, test } from 'vitest';
import { blockCharges } from '../../testing/database/block-charges.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const megabyte = 1024 * 1024;

/** Longer than the response buffer, so that it is streamed through. */
const long = JSON.stringify(chatResponse({ content: 'x'.repeat(10 * megabyte) }));
const streamed = [textChunk('Hello'), stop, usageEvent, done];
const speech = Buffer.alloc(100_000, 'sound');

type Scene = Awaited<ReturnType<typeof relayFixture>>;

const responses: readonly [what: string, answer: UpstreamHandler, ask: (scene: Scene) => Promise<Response>][] = [
  ['a whole response', completion(), (scene) => scene.chat()],
  ['a stream', stream(streamed), (scene) => scene.chat({ stream: true })],
  ['a response too long to buffer', reply(long), (scene) => scene.chat()],
  [
    'speech',
    reply(speech, 200, 'audio/mpeg'),
    (scene) => scene.post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' }),
  ],
];

test.each(responses)('[A9.6] does not finish sending %s before its charge is stored', async (_, respond, ask) => {
  const isSaid = Promise.withResolvers<unknown>();
  const scene = await relayFixture(app, {
    quota: 1_000_000_000,
    channel: { models: 'gpt-4o,tts-1' },
    upstreams: [
      async (response, request) => {
        isSaid.resolve(once(response, 'finish'));
        await respond(response, request);
      },
    ],
  });
  let length = 0;
  let isOver = false;
  const read = async () => {
    for await (const chunk of (await ask(scene)).body ?? []) length += chunk.length;
    isOver = true;
  };
  let reading: Promise<void>;
  let before: { length: number; isOver: boolean };
  {
    await using _held = await blockCharges(app);
    reading = read();
    await isSaid.promise;
    if (respond === responses[2]?.[1]) await expect.poll(() => length).toBeGreaterThan(long.length / 2);
    // Long enough to forward the response; nothing else can happen in the meantime.
    await sleep(500);
    before = { length, isOver };
    expect((await scene.books()).logs).toEqual([]);
  }
  await reading;
  expect(before.isOver).toBe(false);
  if (respond === responses[2]?.[1]) {
    expect(before.length).toBeLessThanOrEqual(long.length - 1024);
    expect(length).toBe(long.length);
  }
  expect((await scene.books()).logs).toMatchObject([{ type: 2, ended_by: '' }]);
  await scene.close();
});
