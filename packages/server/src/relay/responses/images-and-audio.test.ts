import { reply, type UpstreamHandler } from '@headgate/testkit';
import OpenAI, { BadRequestError } from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const models = 'dall-e-2,dall-e-3,tts-1,whisper-1,gpt-image-1';

async function openaiWith(upstreams: UpstreamHandler[], channel: object = {}, quota = 1_000_000) {
  const scene = await relayFixture(app, { upstreams, channel: { models, ...channel }, quota });
  scenes.push(scene);
  const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: `sk-${scene.token.key}`, maxRetries: 0 });
  return { scene, client, seen: () => scene.upstreams[0]?.received ?? [] };
}

const picture = reply({ created: 1, data: [{ url: 'https://images.test/1.png' }] });

describe('images', () => {
  test('charges images by count and size and logs the calculation', async () => {
    const { client, scene, seen } = await openaiWith([picture]);
    const drawn = await client.images.generate({
      model: 'dall-e-3',
      prompt: 'a lock',
      size: '1792x1024',
      quality: 'hd',
    });
    expect(drawn.data?.[0]?.url).toBe('https://images.test/1.png');
    expect(seen()[0]).toMatchObject({ path: '/v1/images/generations', body: { prompt: 'a lock', quality: 'hd' } });
    const { user, logs } = await scene.books();
    expect(user.used_quota).toBe(60_000);
    expect(logs[0]).toMatchObject({ model_name: 'dall-e-3', quota: 60_000, prompt_tokens: 0, completion_tokens: 0 });
    expect(JSON.parse(String(logs[0]?.detail))).toMatchObject({ units: 3000, model_ratio: 20 });
    await client.images.generate({ model: 'dall-e-2', prompt: 'two locks', size: '256x256', n: 2 });
    expect((await scene.books()).user.used_quota).toBe(60_000 + 20_000);
  });

  test.each([
    ['size', { model: 'dall-e-3', size: '256x256' }, /size/],
    ['count', { model: 'dall-e-3', n: 2 }, /at most 1/],
    ['prompt', { model: 'dall-e-2', prompt: 'x'.repeat(1001) }, /1000 characters/],
    ['count for an unknown model', { model: 'gpt-image-1', n: 11 }, /at most 10/],
  ] as const)('rejects a %s that the model does not support before sending anything', async (_, fields, words) => {
    const { client, scene, seen } = await openaiWith([picture]);
    const pending = client.images.generate({ prompt: 'a lock', ...fields });
    await expect(pending).rejects.toThrow(words);
    await expect(pending).rejects.toBeInstanceOf(BadRequestError);
    expect(seen()).toHaveLength(0);
    expect((await scene.books()).user.used_quota).toBe(0);
  });

  test('rejects images if the balance is too low, and does not charge them if the upstream fails', async () => {
    const poor = await openaiWith([picture], {}, 59_999);
    const hd = { model: 'dall-e-3', prompt: 'a lock', size: '1792x1024', quality: 'hd' } as const;
    await expect(poor.client.images.generate(hd)).rejects.toMatchObject({ status: 402 });
    expect(poor.seen()).toHaveLength(0);
    const broken = await openaiWith([reply({ error: { message: 'no' } }, 500)]);
    await expect(broken.client.images.generate(hd)).rejects.toMatchObject({ status: 500 });
    expect((await broken.scene.books()).user).toMatchObject({ used_quota: 0, quota: 1_000_000 });
  });

  test('forwards the complete image edit form with its model mapped', async () => {
    const { client, scene, seen } = await openaiWith([picture], { model_mapping: '{"dall-e-2":"their-draw"}' });
    const image = new File([Buffer.from('not really a picture')], 'lock.png', { type: 'image/png' });
    await client.images.edit({ model: 'dall-e-2', image, prompt: 'add a key', n: 1, size: '512x512' });
    expect(seen()[0]?.path).toBe('/v1/images/edits');
    expect(seen()[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    for (const part of ['not really a picture', 'filename="lock.png"', 'their-draw', 'add a key']) {
      expect(seen()[0]?.text).toContain(part);
    }
    expect((await scene.books()).user.used_quota).toBe(11_250);
  });
});

describe('audio', () => {
  const speech = Buffer.from('ID3 not really sound');

  test('charges speech by characters and forwards its bytes unchanged', async () => {
    const { client, scene, seen } = await openaiWith([reply(speech, 200, 'audio/mpeg')]);
    const response = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'héllo' });
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(speech);
    expect(seen()[0]).toMatchObject({ path: '/v1/audio/speech', body: { voice: 'alloy', input: 'héllo' } });
    expect((await scene.books()).user.used_quota).toBe(38);
  });

  test('rejects a speech text that is too long', async () => {
    const { client, seen } = await openaiWith([reply(speech, 200, 'audio/mpeg')]);
    const pending = client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'x'.repeat(4097) });
    await expect(pending).rejects.toMatchObject({ status: 400, code: 'text_too_long' });
    expect(seen()).toHaveLength(0);
  });

  test('does not present truncated speech as complete', async () => {
    const cut: UpstreamHandler = async (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      await new Promise((resolve) => response.write(speech, resolve));
      response.destroy();
    };
    const { client, scene } = await openaiWith([cut]);
    const pending = client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'hello' });
    await expect(pending.then((response) => response.arrayBuffer())).rejects.toThrow();
    await expect.poll(async () => (await scene.books()).logs.length).toBe(1);
    expect((await scene.books()).logs[0]).toMatchObject({ type: 2, ended_by: 'upstream', quota: 38 });
  });

  const file = () => new File([Buffer.from('RIFF not really sound')], 'talk.wav', { type: 'audio/wav' });

  test.each([
    ['reported seconds', { text: 'hello', usage: { type: 'duration', seconds: 60 } }, 3000],
    ['its duration', { text: 'hello', duration: 30 }, 1500],
    ['reported tokens', { text: 'hello', usage: { input_tokens: 10, output_tokens: 2 } }, 150],
    ['its text if nothing is reported', { text: 'x'.repeat(100) }, 13 * 15],
  ])('charges a transcript by %s', async (_, body, price) => {
    const { client, scene, seen } = await openaiWith([reply(body)]);
    const transcript = await client.audio.transcriptions.create({ model: 'whisper-1', file: file() });
    expect(transcript.text).toBe(body.text);
    expect(seen()[0]).toMatchObject({ path: '/v1/audio/transcriptions' });
    expect(seen()[0]?.text).toContain('RIFF not really sound');
    expect((await scene.books()).user.used_quota).toBe(price);
  });

  test('charges a translation to subtitles only by its text', async () => {
    const subtitles = '1\n00:00:00,000 --> 00:00:02,000\nhello world\n\n';
    const { client, scene } = await openaiWith([reply(subtitles, 200, 'text/plain')]);
    const transcript = await client.audio.translations.create({
      model: 'whisper-1',
      file: file(),
      response_format: 'srt',
    });
    expect(transcript).toBe(subtitles);
    const tokensOfWords = 3;
    expect((await scene.books()).user.used_quota).toBe(tokensOfWords * 15);
  });

  test('rejects an invalid form', async () => {
    const { scene } = await openaiWith([reply({ text: 'x' })]);
    const response = await scene.post('/v1/audio/transcriptions', '{}');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_form' } });
  });
});
