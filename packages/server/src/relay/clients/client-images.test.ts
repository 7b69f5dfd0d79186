import { type ReceivedRequest, reply, stream, type UpstreamHandler } from '@headgate/testkit';
import { DallEAPIWrapper } from '@langchain/openai';
import { generateImage } from 'ai';
import { afterAll, describe, expect, test } from 'vitest';
import { clientFixtures } from '../../testing/relay/client-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes = clientFixtures(app);
afterAll(() => scenes.close());

const models = 'gpt-image-1,dall-e-2,dall-e-3';
const open = (respond: UpstreamHandler) => scenes.open(respond, { models });

/**
 * gpt-image-1: an image token costs 20 points, a prompt token an eighth of that, and an input image token a quarter.
 */
const drawnPrice = (tokens: number, prompt: string, inputs = 0) =>
  Math.ceil(tokens + prompt.length / 8 + (inputs * 1000) / 4) * 20;
const high = 4160;
const squarePrice = drawnPrice(high, 'a lock');
/** dall-e-3 in its default size: 1000 units × 20. */
const dallePrice = 20_000;

const bytes = Buffer.from('not really a picture');
const packed = bytes.toString('base64');
const pictureFile = (name: string) => new File([bytes], name, { type: 'image/png' });

/** Returns as many base64 images as requested. */
const packedPictures: UpstreamHandler = async (response, request) => {
  const form = await formOf(request);
  const count = Number(request.body['n'] ?? form?.get('n') ?? 1);
  await reply({ created: 1, data: Array.from({ length: count }, () => ({ b64_json: packed })) })(response, request);
};

async function formOf({ headers, text }: ReceivedRequest): Promise<FormData | undefined> {
  const contentType = String(headers['content-type']);
  if (!contentType.startsWith('multipart/form-data')) return undefined;
  return new Response(text, { headers: { 'content-type': contentType } }).formData();
}

const drawing = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;

describe('images through openai', () => {
  test('reads an image as base64', async () => {
    const { openai, seen, books } = await open(packedPictures);
    const fields = { model: 'gpt-image-1', prompt: 'a lock', size: '1536x1024', background: 'transparent' } as const;
    const drawn = await openai.images.generate(fields);
    expect(drawn.data).toEqual([{ b64_json: packed }]);
    expect(seen()).toMatchObject([{ path: '/v1/images/generations', body: fields }]);
    const { user, logs, drift } = await books();
    expect(logs).toMatchObject([
      { type: 2, model_name: 'gpt-image-1', quota: drawnPrice(6208, 'a lock'), is_stream: 0 },
    ]);
    expect([user.used_quota, drift]).toEqual([drawnPrice(6208, 'a lock'), 0]);
  });

  test('edits several images simultaneously with a mask', async () => {
    const { openai, seen, books } = await open(packedPictures);
    const image = [pictureFile('one.png'), pictureFile('two.png')];
    const mask = pictureFile('mask.png');
    const drawn = await openai.images.edit({ model: 'gpt-image-1', image, mask, prompt: 'add a key', n: 2 });
    expect(drawn.data).toHaveLength(2);
    const [request] = seen();
    expect(request?.path).toBe('/v1/images/edits');
    const form = request && (await formOf(request));
    expect(form?.getAll('image[]').map((file) => (file as File).name)).toEqual(['one.png', 'two.png']);
    expect(form?.get('mask')).toMatchObject({ name: 'mask.png', size: bytes.length });
    expect((await books()).logs).toMatchObject([{ quota: drawnPrice(2 * high, 'add a key', 3) }]);
  });

  test.each([
    ['generated', 'image_generation'],
    ['edited', 'image_edit'],
  ] as const)('streams partial images that are %s', async (_, type) => {
    const first = drawing(`${type}.partial_image`, { b64_json: 'aGFsZg==', partial_image_index: 0 });
    const last = drawing(`${type}.completed`, { b64_json: packed, usage: { input_tokens: 1, output_tokens: 2 } });
    const { openai, seen, books } = await open(stream([first, last]));
    const requestBody = { model: 'gpt-image-1', prompt: 'a lock', stream: true, partial_images: 1 } as const;
    const drawn =
      type === 'image_edit'
        ? await openai.images.edit({ ...requestBody, image: pictureFile('one.png') })
        : await openai.images.generate(requestBody);
    const events = await Array.fromAsync<{ type: string; b64_json: string }>(drawn);
    expect(events).toMatchObject([
      { type: `${type}.partial_image`, b64_json: 'aGFsZg==' },
      { type: `${type}.completed`, b64_json: packed },
    ]);
    expect(seen()).toHaveLength(1);
    const { user, logs, drift } = await books();
    const price = drawnPrice(high + 100, 'a lock', type === 'image_edit' ? 1 : 0);
    expect(logs).toMatchObject([{ type: 2, quota: price }]);
    expect([user.used_quota, drift]).toEqual([price, 0]);
  });

  const blocked = {
    type: 'error',
    error: { type: 'image_generation_user_error', code: 'moderation_blocked', message: 'Not this one', param: null },
  };
  const errorEvent = `event: error\ndata: ${JSON.stringify(blocked)}\n\n`;
  const requestBody = { model: 'gpt-image-1', prompt: 'a lock', stream: true } as const;

  test('throws for a stream that consists of an error, and nothing is charged', async () => {
    const { openai, books } = await open(stream([errorEvent]));
    await expect(openai.images.generate(requestBody)).rejects.toMatchObject({
      status: 400,
      code: 'moderation_blocked',
    });
    const { user, logs, drift } = await books();
    expect(logs).toMatchObject([{ type: 5, quota: 0, content: 'Not this one' }]);
    expect([user.used_quota, drift]).toEqual([0, 0]);
  });

  test.each([
    ['nothing was generated yet', drawing('image_generation.started', {}), 0],
    ['a first image was generated', drawing('image_generation.partial_image', { b64_json: 'aGFsZg==' }), squarePrice],
  ])('throws for an error inside a stream when %s', async (_, first, price) => {
    const { openai, books } = await open(stream([first, errorEvent]));
    const drawn = await openai.images.generate(requestBody);
    await expect(Array.fromAsync(drawn)).rejects.toThrow('Not this one');
    // The client disconnects when it reads the error, before the end of the stream.
    const failure = { type: price > 0 ? 2 : 5, ended_by: 'upstream', quota: price, content: 'Not this one' };
    await expect.poll(async () => (await books()).logs).toMatchObject([failure]);
    const { user, drift } = await books();
    expect([user.used_quota, drift]).toEqual([price, 0]);
  });

  test('throws for a truncated image stream', async () => {
    const first = drawing('image_generation.partial_image', { b64_json: 'aGFsZg==', partial_image_index: 0 });
    const { openai, books } = await open(stream([first], 'cut'));
    const drawn = await openai.images.generate({ model: 'gpt-image-1', prompt: 'a lock', stream: true });
    await expect(Array.fromAsync(drawn)).rejects.toThrow();
    await expect
      .poll(async () => (await books()).logs)
      .toMatchObject([{ type: 2, ended_by: 'upstream', quota: squarePrice }]);
  });
});

describe('images through ai with @ai-sdk/openai-compatible', () => {
  test('generates images', async () => {
    const { ai, seen, books } = await open(packedPictures);
    const { images } = await generateImage({
      model: ai.imageModel('gpt-image-1'),
      prompt: 'a lock',
      n: 2,
      size: '1024x1024',
      providerOptions: { headgate: { quality: 'high' } },
    });
    expect(images.map(({ uint8Array }) => Buffer.from(uint8Array))).toEqual([bytes, bytes]);
    const body = { model: 'gpt-image-1', prompt: 'a lock', n: 2, size: '1024x1024', quality: 'high' };
    expect(seen()).toMatchObject([{ path: '/v1/images/generations', body }]);
    const { user, drift } = await books();
    expect([user.used_quota, drift]).toEqual([drawnPrice(2 * high, 'a lock'), 0]);
  });

  test.each([1, 2])('edits %i images', async (count) => {
    const { ai, seen, books } = await open(packedPictures);
    const prompt = { text: 'add a key', images: Array.from({ length: count }, () => new Uint8Array(bytes)) };
    const { image } = await generateImage({ model: ai.imageModel('gpt-image-1'), prompt });
    expect(Buffer.from(image.uint8Array)).toEqual(bytes);
    const [request] = seen();
    expect(request?.path).toBe('/v1/images/edits');
    const form = request && (await formOf(request));
    expect(form?.getAll(count === 1 ? 'image' : 'image[]')).toHaveLength(count);
    expect(form?.get('prompt')).toBe('add a key');
    expect((await books()).logs).toMatchObject([
      { model_name: 'gpt-image-1', quota: drawnPrice(high, 'add a key', count) },
    ]);
  });
});

describe('images through @langchain/openai', () => {
  const url = 'https://images.test/1.png';
  const toolFor = (key: string, more: object) =>
    new DallEAPIWrapper({ apiKey: `sk-${key}`, baseUrl: `${app.url}/v1`, ...more });

  test('reads an image URL', async () => {
    const { token, seen, books } = await open(reply({ created: 1, data: [{ url }] }));
    expect(await toolFor(token.key, { style: 'natural' }).invoke('a lock')).toBe(url);
    const body = { model: 'dall-e-3', prompt: 'a lock', style: 'natural', response_format: 'url', n: 1 };
    expect(seen()).toMatchObject([{ path: '/v1/images/generations', body }]);
    expect((await books()).logs).toMatchObject([{ type: 2, model_name: 'dall-e-3', quota: dallePrice }]);
  });

  test('requests several images one by one', async () => {
    const { token, seen, books } = await open(packedPictures);
    const drawn: unknown = await toolFor(token.key, { n: 2, dallEResponseFormat: 'b64_json' }).invoke('a lock');
    const picture = { type: 'image_url', image_url: { url: packed } };
    expect(drawn).toEqual([picture, picture]);
    expect(seen()).toMatchObject([{ body: { response_format: 'b64_json' } }, { body: { n: 1 } }]);
    await expect.poll(async () => (await books()).user.used_quota).toBe(2 * dallePrice);
    expect((await books()).drift).toBe(0);
  });
});
