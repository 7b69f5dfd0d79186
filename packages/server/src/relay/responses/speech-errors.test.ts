import { gzipSync } from 'node:zlib';
import { reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '1' } });
const scenes: { close(): Promise<unknown> }[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function speakWith(...upstreams: UpstreamHandler[]) {
  const scene = await relayFixture(app, { upstreams, channel: { models: 'tts-1' } });
  scenes.push(scene);
  const response = await scene.post('/v1/audio/speech', { model: 'tts-1', voice: 'alloy', input: 'hello' });
  const body = Buffer.from(await response.arrayBuffer());
  await expect.poll(async () => (await scene.books()).logs.length).toBe(1);
  return { response, body, books: await scene.books() };
}

const mp3 = 'audio/mpeg';
const sse = 'text/event-stream';
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const busyEvent = event({ type: 'error', error: { message: 'busy', code: 429 } });

describe('[A25.4] speech responses without audio', () => {
  const responses: readonly [string, UpstreamHandler, number][] = [
    ['an error', reply({ error: { message: 'busy', code: 429 } }, 200, mp3), 429],
    ['an error in another format', reply({ base_resp: { status_code: 1004, status_msg: 'no' } }, 200, mp3), 502],
    ['an error after whitespace', reply(`\n\n  ${JSON.stringify({ error: 'no' })}`, 200, mp3), 502],
    ['a JSON list', reply([], 200, mp3), 502],
    ['an HTML page', reply('<!DOCTYPE html><p>Sign in</p>', 200, 'text/html'), 502],
    ['an empty body', reply('', 200, mp3), 502],
    ['whitespace', reply(' \n '.repeat(1000), 200, mp3), 502],
    ['an error as the first event', reply(busyEvent, 200, sse), 429],
    ['a named error event as the first event', reply(`event: error\n${event({ message: 'no' })}`, 200, sse), 502],
    ['an error after a keep-alive', reply(`: wait\n\n${busyEvent}`, 200, sse), 429],
    ['no event at all', reply('', 200, sse), 502],
    ['status 204', (response) => void response.writeHead(204).end(), 502],
  ];

  test.each(responses)('tries another channel after %s', async (_, respond) => {
    const { response, body, books } = await speakWith(respond, reply('ID3', 200, mp3));
    expect([response.status, String(body)]).toEqual([200, 'ID3']);
    expect(books.logs).toMatchObject([{ type: 2 }]);
  });

  test.each(responses)('charges nothing for %s if there is no other channel', async (_, respond, status) => {
    const { response, body, books } = await speakWith(respond);
    expect(response.status).toBe(status);
    expect(JSON.parse(String(body))).toMatchObject({ error: { message: expect.any(String) } });
    expect(books.logs).toMatchObject([{ type: 5, quota: 0 }]);
    expect([books.user.used_quota, books.drift]).toEqual([0, 0]);
  });
});

test.each([
  ['{', Buffer.concat([Buffer.from('{'), Buffer.alloc(200_000, 7)])],
  ['{ in a short body', Buffer.from('{\x01\x02')],
  ['<', Buffer.from('<\x01\x02')],
  ['a space', Buffer.from(' \x01\x02')],
])('forwards audio that starts with %s unchanged', async (_, audio) => {
  const { body, books } = await speakWith(reply(audio, 200, 'audio/pcm'));
  expect(body.equals(audio)).toBe(true);
  expect(books.logs).toMatchObject([{ type: 2 }]);
});

test('forwards the content encoding of compressed audio that was not requested', async () => {
  const { body } = await speakWith((response) => {
    response.writeHead(200, { 'content-type': mp3, 'content-encoding': 'gzip' }).end(gzipSync('ID3'));
  });
  expect(String(body)).toBe('ID3');
});
