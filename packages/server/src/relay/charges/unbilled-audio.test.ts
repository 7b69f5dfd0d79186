import { reply, silentWav, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** A minute of silence costs $0.006. */
const minute = Buffer.from(silentWav(1000, 60 * 1000), 'base64');
const price = 3000;

async function transcribe(
  response: UpstreamHandler,
  fields: Readonly<Record<string, string>> = {},
  init: RequestInit = {},
) {
  const scene = await relayFixture(app, { upstreams: [response], channel: { models: 'whisper-1,gpt-4o-transcribe' } });
  closing.push(scene.close);
  const body = new FormData();
  for (const [name, value] of Object.entries({ model: 'whisper-1', ...fields })) body.append(name, value);
  body.append('file', new Blob([minute]), 'talk.wav');
  const headers = { authorization: `Bearer sk-${scene.token.key}` };
  const requested = fetch(`${app.url}/v1/audio/transcriptions`, { method: 'POST', headers, body, ...init });
  return { scene, requested };
}

describe('[A68.2] transcription without reported usage', () => {
  it.each([
    ['an empty transcript', reply({ text: '' }), {}],
    ['an empty plain text transcript', reply('\n', 200, 'text/plain'), { response_format: 'text' }],
    [
      'lines that look like time codes',
      reply('12\n00:01 --> 00:02\n34\n', 200, 'text/plain'),
      { response_format: 'text' },
    ],
    ['empty subtitles', reply('WEBVTT\n\n', 200, 'text/vtt'), { response_format: 'vtt' }],
    ['zero usage', reply({ text: '', usage: { input_tokens: 0, output_tokens: 0 } }), {}],
    ['zero duration', reply({ text: 'hi', duration: 0 }), {}],
  ])('charges the seconds of the upload for %s', async (_, response, fields) => {
    const { scene, requested } = await transcribe(response, fields);
    expect((await requested).status).toBe(200);
    expect(await scene.books()).toMatchObject({ user: { used_quota: price }, drift: 0 });
  });
});

describe('[A68.13] transcription text without reported usage', () => {
  const talk = reply('word '.repeat(1000).trim(), 200, 'text/plain');
  const silence = reply('', 200, 'text/plain');
  it.each([
    ['whisper-1', 1000 / 200],
    ['gpt-4o-transcribe', 6000 / 2400],
  ])(
    'charges at least half of the time needed to speak the text with %s: %f times a minute of silence',
    async (model, times) => {
      const costs = [];
      for (const response of [silence, talk]) {
        const { scene, requested } = await transcribe(response, { model, response_format: 'text' });
        expect((await requested).status).toBe(200);
        costs.push((await scene.books()).user.used_quota);
      }
      expect((costs[1] ?? 0) / (costs[0] ?? 1)).toBe(times);
    },
  );
});

it('charges reported seconds instead of the upload', async () => {
  const { scene, requested } = await transcribe(reply({ text: 'hi', usage: { type: 'duration', seconds: 30 } }));
  expect((await requested).status).toBe(200);
  expect(await scene.books()).toMatchObject({ user: { used_quota: price / 2 }, drift: 0 });
});

it('[A68.3] charges the upload if the client disconnects', async () => {
  const leaving = new AbortController();
  const { scene, requested } = await transcribe(() => leaving.abort(), {}, { signal: leaving.signal });
  await expect(requested).rejects.toThrow();
  await expect.poll(async () => (await scene.books()).logs.length).toBe(1);
  expect(await scene.books()).toMatchObject({ logs: [{ type: 2, ended_by: 'client', quota: price }], drift: 0 });
});
