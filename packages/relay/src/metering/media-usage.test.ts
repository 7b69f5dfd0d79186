import { reply, silentWav, stream, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, it, vi } from 'vitest';
import { readUpload } from '../request/audio-upload.ts';
import { endpointKinds, responseScanOf } from '../request/endpoint-kinds.ts';
import { readForm, readRequest } from '../request/read-request.ts';
import { rejectUnpricedFields } from '../request/reject-unpriced-fields.ts';
import { transcriptUsage } from '../response/collect-stream.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';
import { estimateUsage } from './usage-estimate.ts';

const createFixture = useRelayFixtures();
const assumptions = { typicalCompletion: 500, longestCompletion: 128_000 };

async function formOf(kind: 'transcriptions' | 'imageEdits', fields: Readonly<Record<string, string | Blob>>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const encoded = new Response(form);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  return readForm(endpointKinds[kind], bytes, { 'content-type': encoded.headers.get('content-type') ?? '' });
}

const wav = (seconds: number) => new Blob([Buffer.from(silentWav(8000, seconds * 8000), 'base64')]);
const transcription = async (file: Blob, model = 'whisper-1') =>
  estimateUsage(await formOf('transcriptions', { model, file }), [], assumptions);

describe('transcription usage', () => {
  const unitsOfReported = (seconds: number) => {
    const upload = readUpload(Buffer.from(silentWav(16_000, 60 * 16_000), 'base64'));
    const body = Buffer.from(JSON.stringify({ text: 'hi', duration: seconds }));
    const use = transcriptUsage(body, responseScanOf(endpointKinds.transcriptions), { model: 'whisper-1', upload });
    return typeof use === 'string' ? use : use.units;
  };

  it.each([
    ['unchanged', 55, 184],
    ['raised to the minimum that the bytes allow', 1, 101],
    ['capped at the reserve plus a minute', 80_000, 254 + 200],
  ])('[A68.13] charges reported seconds %s: %i s, %i units', (_, seconds, units) => {
    expect(unitsOfReported(seconds)).toBe(units);
  });

  it('[A68.2] [A68.3] charges a transcription by the seconds of its upload, and reserves enough for them', async () => {
    const { used, most, least } = await transcription(wav(60));
    expect(used).toMatchObject({ units: 200, counted: 'estimate' });
    expect(least).toEqual(used);
    expect(most.units).toBe(Math.ceil((76 * 200) / 60));
  });

  it('[A68.4] charges a transcription by its bytes at 32 kbit/s when the file does not state its length', async () => {
    const { used, most } = await transcription(new Blob([Buffer.alloc(240_000)]));
    expect(used.units).toBe(200);
    expect(most.units).toBeGreaterThan(3000);
  });

  it('[A68.11] rejects a transcription without a file, because a text or URL has no length', async () => {
    await expect(
      formOf('transcriptions', { model: 'whisper-1', file: 'https://elsewhere.example/a.ogg' }),
    ).rejects.toThrow(/file/);
    const request = await formOf('transcriptions', {
      model: 'whisper-1',
      file: wav(1),
      url: 'https://elsewhere.example',
    });
    expect(() => rejectUnpricedFields(request, [])).toThrow(/url/);
  });

  it('multiplies the units per second of audio when the model is charged by tokens', async () => {
    expect((await transcription(wav(60), 'gpt-4o-transcribe')).used.units).toBe(2400);
  });
});

describe('image usage', () => {
  const images = (body: object) =>
    estimateUsage(
      readRequest(endpointKinds.images, Buffer.from(JSON.stringify({ prompt: 'a', ...body }))),
      [],
      assumptions,
    );
  const units = (body: object) => images(body).used.units;

  it.each([
    [{ model: 'gpt-image-1', quality: 'low' }, 272],
    [{ model: 'gpt-image-1', quality: 'medium', size: '1024x1536' }, 1584],
    [{ model: 'gpt-image-1', quality: 'high', size: '1536x1024' }, 6208],
    [{ model: 'gpt-image-1', quality: 'auto', size: 'auto' }, 6240],
    [{ model: 'gpt-image-1' }, 4160],
    [{ model: 'gpt-image-2', quality: 'high', size: '2048x2048' }, 4 * 7034],
    [{ model: 'gemini-2.5-flash-image' }, 129_000],
  ])('[A68.5] prices an image that is charged by tokens by model, size and quality: %j', (body, tokens) => {
    expect(units(body)).toBeGreaterThanOrEqual(tokens);
    expect(units(body)).toBeLessThanOrEqual(tokens + 1);
    expect(units({ ...body, n: 3 })).toBeGreaterThanOrEqual(3 * tokens);
  });

  it.each([
    [{ model: 'our-painter' }, 1000],
    [{ model: 'our-painter', size: '512x512' }, 1000],
    [{ model: 'our-painter', size: '2048x2048' }, 4000],
    [{ model: 'our-painter', size: '4K' }, 16_000],
    [{ model: 'our-painter', quality: 'high' }, 2000],
    [{ model: 'black-forest-labs/flux-dev', size: '2048x2048', quality: 'high' }, 1000],
    [{ model: 'dall-e-3', size: '1792x1024', quality: 'hd' }, 3000],
  ])('[A68.5] prices an image that is charged per image by area and quality: %j', (body, expected) => {
    expect(units(body)).toBe(expected);
  });

  it.each([' 2048x2048', '2048 x 2048', '2048×2048', '２０４８x２０４８', '2048:2048'])(
    '[A68.11] prices an image by area when its size is spelled differently: %j',
    (size) => {
      expect(units({ model: 'our-painter', size })).toBe(4000);
    },
  );

  it.each(['16:9', 'landscape_16_9', 'square_hd', 'auto'])(
    '[A68.11] uses the default price for a size without pixels: %s',
    (size) => {
      expect(units({ model: 'our-painter', size })).toBe(1000);
    },
  );

  it.each(['999999x999999', `${' '.repeat(100)}2048x2048`, [['4096x4096']], 4096])(
    '[A68.11] rejects an image size that no model supports or that is unreadable: %j',
    (size) => {
      expect(() => units({ model: 'our-painter', size })).toThrow(/size/);
    },
  );

  it.each([
    ['batch_size', 4],
    ['num_images', '4'],
    ['sequential_image_generation', 'auto'],
  ])('[A68.11] rejects fields other than n that request several images: %s = %j', (name, value) => {
    const judged = (given: unknown) => () => {
      const bytes = Buffer.from(JSON.stringify({ model: 'our-painter', prompt: 'a', [name]: given }));
      rejectUnpricedFields(readRequest(endpointKinds.images, bytes), []);
    };
    expect(judged(value)).toThrow(/no price/);
    expect(judged(name === 'sequential_image_generation' ? 'disabled' : 1)).not.toThrow();
  });

  it.each(['constructor', 'toString', '__proto__'])(
    '[A68.10] rejects the image size %s, and the balance never becomes NaN',
    async (size) => {
      const fixture = await createFixture({ upstreams: [reply({ error: { message: 'no such size' } }, 400)] });
      const response = await fixture.post(endpointKinds.images, { model: 'dall-e-3', prompt: 'a', size });
      expect(await response.text()).toContain(`size: dall-e-3 does not support size ${size}`);
      expect(fixture.upstreams[0]?.received).toHaveLength(0);
      expect(await fixture.ledger()).toMatchObject({ user: { held: 0 }, drift: 0 });
    },
  );

  it.each(['constructor', 'toString', '__proto__'])(
    '[A68.10] charges the image quality %s like the highest quality',
    (quality) => {
      expect(units({ model: 'gpt-image-1', quality })).toBe(units({ model: 'gpt-image-1', quality: 'high' }));
    },
  );

  it('reserves the input images of an image edit', async () => {
    const image = new Blob([Buffer.alloc(10)]);
    const edited = (fields: object) =>
      formOf('imageEdits', { model: 'gpt-image-1', prompt: 'a', quality: 'low', image, ...fields }).then((request) =>
        estimateUsage(request, [], assumptions),
      );
    expect((await edited({})).most.units).toBe(273 + 2000);
    expect((await edited({ mask: image })).most.units).toBe(273 + 4000);
  });

  const drawn = (usage?: object): UpstreamHandler => reply({ created: 1, data: [{ b64_json: 'AAAA' }], usage });
  const ask = { model: 'gpt-image-1', prompt: 'a lock', quality: 'medium' };
  const charged = async (respond: UpstreamHandler) => {
    const fixture = await createFixture({ upstreams: [respond] });
    expect((await fixture.post(endpointKinds.images, ask)).status).toBe(200);
    const { outcomes, drift } = await fixture.ledger();
    expect(drift).toBe(0);
    return outcomes[0]?.quota;
  };
  const byTable = Math.ceil(1056 + 6 / 8) * 20;

  it('[A68.5] charges reported image usage: text at 1/8 and input images at 1/4 of an output token', async () => {
    const usage = {
      input_tokens: 60,
      output_tokens: 1056,
      input_tokens_details: { text_tokens: 20, image_tokens: 40 },
    };
    expect(await charged(drawn(usage))).toBe(Math.ceil(1056 + 20 / 8 + 40 / 4) * 20);
  });

  describe('streamed images', () => {
    const usage = { input_tokens: 8, output_tokens: 1356, input_tokens_details: { image_tokens: 0 } };
    const events = (reported: object | undefined): UpstreamHandler => {
      const event = (type: string, fields: object) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: 'A'.repeat(50_000), ...fields })}\n\n`;
      const pieces = [
        event('image_generation.partial_image', { partial_image_index: 0 }),
        event('image_generation.completed', { usage: reported }),
      ];
      return stream(pieces);
    };

    it.each([
      ['reported usage', usage, {}, (1356 + 8 / 8) * 20],
      ['the price table when no usage is reported', undefined, {}, byTable],
      ['the price table when the reported usage is impossible', { input_tokens: 8, output_tokens: 1 }, {}, byTable],
      ['the price table for several images', usage, { n: 2 }, Math.ceil(2 * 1056 + 6 / 8) * 20],
    ])('[A68.5] charges a streamed image by %s', async (_, reported, fields, quota) => {
      const fixture = await createFixture({ upstreams: [events(reported)] });
      await (await fixture.post(endpointKinds.images, { ...ask, stream: true, ...fields })).text();
      const { outcomes, drift } = await fixture.ledger();
      expect([outcomes[0]?.quota, drift]).toEqual([quota, 0]);
    });
  });

  it.each([
    ['no usage', undefined],
    ['no tokens', { input_tokens: 0, output_tokens: 0 }],
    ['fewer tokens than any image has', { input_tokens: 5, output_tokens: 1 }],
    ['a negative number', { input_tokens: 5, output_tokens: -1000 }],
    ['text', { input_tokens: '5', output_tokens: 'few' }],
    ['billions', { input_tokens: 5, output_tokens: 2e9 }],
  ])('[A68.5] charges an image by the price table when the upstream reports %s', async (_, usage) => {
    expect(await charged(drawn(usage))).toBe(byTable);
  });
});

describe('speech usage', () => {
  const speech = (body: object) => {
    const bytes = Buffer.from(JSON.stringify({ model: 'tts-1', ...body }));
    return estimateUsage(readRequest(endpointKinds.speech, bytes), [], assumptions).used.units;
  };

  it('[A68.8] counts the characters of the instructions in addition to the spoken text', () => {
    expect(speech({ input: 'hello', instructions: 'slowly' })).toBe(11);
    expect(speech({ input: 'hello', instructions: null })).toBe(5);
    expect(() => speech({ input: 'hello', instructions: 'x'.repeat(4097) })).toThrow(/instructions/);
    expect(() => speech({ input: 'hello', instructions: ['x'] })).toThrow(/instructions/);
  });

  it('[A68.12] does not split an overlong text into characters', () => {
    expect(speech({ input: '🧿'.repeat(4096) })).toBe(4096);
    const long = 'x'.repeat(10_000);
    using splitting = vi.spyOn(String.prototype, Symbol.iterator);
    expect(() => speech({ input: long })).toThrow(/at most 4096/);
    expect((splitting.mock.contexts as unknown[]).filter((text) => String(text).length > 9000)).toEqual([]);
  });
});

describe('deferred responses', () => {
  it.each([
    ['deferred', true],
    ['deferred', 1],
    ['background', true],
    ['async', true],
    ['webhook', 'https://elsewhere.example'],
    ['callback_url', 'https://elsewhere.example'],
    ['Deferred', true],
    ['de_ferred', true],
  ])('[A68.6] rejects a request for a deferred response and sends nothing: %s = %j', async (name, value) => {
    const fixture = await createFixture({ upstreams: [reply({ request_id: 'a' })], retries: 3 });
    const response = await fixture.chat({ [name]: value });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: name } });
    expect(fixture.upstreams[0]?.received).toHaveLength(0);
    expect(await fixture.ledger()).toMatchObject({ user: { held: 0, usedQuota: 0 }, outcomes: [] });
  });

  it.each([
    ['deferred', false],
    ['background', 'transparent'],
    ['webhook', null],
  ])('accepts values that disable deferred responses: %s = %j', async (name, value) => {
    const request = readRequest(
      endpointKinds.chat,
      Buffer.from(JSON.stringify({ model: 'gpt-4o', messages: [], [name]: value })),
    );
    expect(() => rejectUnpricedFields(request, [])).not.toThrow();
  });

  it('[A68.6] rejects fields for deferred responses inside extra_body, even if an admin allows the field', () => {
    const body = { model: 'gpt-4o', messages: [], extra_body: { deferred: true } };
    const request = readRequest(endpointKinds.chat, Buffer.from(JSON.stringify(body)));
    expect(() => rejectUnpricedFields(request, ['extra_body', 'deferred'])).toThrow(
      /extra_body.deferred is not supported/,
    );
  });
});
