import type { UpstreamAnswer } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayScene } from '../testing/relay-scene.ts';
import { useTestApp } from '../testing/test-app.ts';
import { done, opening, piece, stop, usageEvent } from '../testing/upstream-answers.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayScene>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

/** Asks for a stream whose second part leaves when the client has the first. */
async function streamOf(first: string, second: string, quota: number) {
  const isHeard = Promise.withResolvers<void>();
  const inTwoParts: UpstreamAnswer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(first);
    await isHeard.promise;
    response.end(second);
  };
  const scene = await relayScene(app, { upstreams: [inTwoParts], quota });
  scenes.push(scene);
  const response = await scene.chat({ stream: true, max_tokens: 10 });
  let text = '';
  for await (const part of response.body ?? []) {
    text += Buffer.from(part).toString();
    isHeard.resolve();
  }
  return { text, told: eventsIn(text), ...(await scene.books()) };
}

/** Of those that can be read: two in one could not. */
const eventsIn = (text: string): unknown[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)));

const manyPieces = piece('some more words ').repeat(400);

test.each([
  ['with the end', stop + done],
  ['with usage and the end', stop + usageEvent + done],
  ['without an end', ''],
])('however much comes at once, nothing is delivered on credit: %s', async (_, end) => {
  const { text, told, user, logs, drift } = await streamOf(opening + piece('Hello'), manyPieces + end, 2000);
  expect(text.startsWith(opening + piece('Hello'))).toBe(true);
  expect(told.at(-1)).toMatchObject({ error: { code: 'insufficient_user_quota' } });
  expect(text).not.toContain('[DONE]');
  expect(logs).toMatchObject([{ type: 2, is_stream: 1, ended_by: 'quota', quota: user.used_quota }]);
  expect(user.used_quota).toBeGreaterThan(0);
  expect(user.quota).toBeGreaterThanOrEqual(0);
  expect(drift).toBe(0);
});

test('the error is an event of its own, also when the one before had not ended', async () => {
  const { told } = await streamOf(opening + piece('Hello').slice(0, -1), `\n${manyPieces}`, 2000);
  expect(told[1]).toMatchObject({ choices: [{ delta: { content: 'Hello' } }] });
  expect(told.at(-1)).toHaveProperty('error');
});

test('what fits passes whole', async () => {
  const { text, user, logs } = await streamOf(opening + piece('Hello'), manyPieces + stop + usageEvent + done, 100_000);
  expect(text).toBe(opening + piece('Hello') + manyPieces + stop + done);
  expect(logs).toMatchObject([{ type: 2, quota: user.used_quota }]);
});
