import { silentWav } from '@headgate/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUsage } from '../metering/read-usage.ts';
import { estimateUsage } from '../metering/usage-estimate.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { noRatios } from '../testing/no-ratios.ts';
import { type Price, priceOf } from './price.ts';
import { capMediaTokens, maxQuotaOf, quotaOf, type TokenCount, type TokenParts } from './quota-of.ts';

const million = 1_000_000;
const priceFor = (model: string) => priceOf(model, { type: 24 }, 'default', noRatios);
const noParts = { cached: 0, written: 0, writtenLong: 0, reasoning: 0 };
const dollars = (model: string, used: TokenCount) => quotaOf(used, priceFor(model)) / 500_000;

describe('[A68.7] media token prices', () => {
  it.each([
    [
      'audio read by gemini-2.5-flash',
      'gemini-2.5-flash',
      { prompt: million, completion: 0, parts: { ...noParts, audio: million } },
      1,
    ],
    ['text read by gemini-2.5-flash', 'gemini-2.5-flash', { prompt: million, completion: 0 }, 0.3],
    [
      'audio read by gemini-2.0-flash',
      'gemini-2.0-flash',
      { prompt: million, completion: 0, parts: { ...noParts, audio: million } },
      0.7,
    ],
    [
      'images of gemini-2.5-flash-image',
      'gemini-2.5-flash-image',
      { prompt: 0, completion: million, parts: { ...noParts, imageCompletion: million } },
      30,
    ],
    ['text of gemini-2.5-flash-image', 'gemini-2.5-flash-image', { prompt: 0, completion: million }, 2.5],
    [
      'audio spoken by gpt-4o-audio-preview',
      'gpt-4o-audio-preview',
      { prompt: 0, completion: million, parts: { ...noParts, audioCompletion: million } },
      80,
    ],
    [
      'audio read by gpt-4o-transcribe',
      'gpt-4o-transcribe',
      { prompt: million, completion: 0, parts: { ...noParts, audio: million } },
      6,
    ],
    [
      'audio read by a model with one price',
      'claude-opus-5',
      { prompt: million, completion: 0, parts: { ...noParts, audio: million } },
      5,
    ],
  ])("[A68.7] charges the vendor's price for a million tokens of %s", (_, model, used, expected) => {
    expect(dollars(model, used)).toBeCloseTo(expected, 4);
  });
});

const send = (content: unknown) =>
  readRequest(
    endpointKinds.chat,
    Buffer.from(JSON.stringify({ model: 'gemini-2.5-flash', max_tokens: 10, messages: [{ role: 'user', content }] })),
  );
const channel = { type: 24, modelMapping: new Map(), systemPrompt: '' } as never;
const reserved = (content: unknown) =>
  maxQuotaOf(
    estimateUsage(send(content), [channel], { typicalCompletion: 500, longestCompletion: 128_000 }).most,
    priceFor('gemini-2.5-flash'),
  );

it('[A68.7] reserves the audio price for a request with audio, but not for one with text', () => {
  const seconds = 60;
  const data = silentWav(8000, seconds * 8000);
  const audio = { type: 'input_audio', input_audio: { data, format: 'wav' } };
  const tokens = Math.ceil(data.length / 16);
  const withSound = reserved([audio]);
  // At $1 per million.
  expect(withSound).toBeGreaterThanOrEqual(tokens * 0.5);
  expect(withSound).toBeLessThan((tokens + 1000) * 0.5);
  expect(reserved('hi')).toBeLessThan(200);
});

it('[A68.7] reserves a file of unknown kind as audio', () => {
  const file = { type: 'file', file: { file_id: 'a' } };
  expect(reserved([file])).toBeGreaterThan(1_048_576 * 0.5);
});

const claim = { promptTokens: 100, completionTokens: 50, totalTokens: 150 };
const partsOf = (parts: object) => readUsage({ ...claim, ...parts }, send('x'.repeat(2000))).parts;

it.each([
  [
    'unreported cached media count as cached after the text',
    { audioTokens: 60, cachedTokens: 80 },
    { cached: 80, audio: 20, cachedAudio: 40 },
  ],
  [
    'reported cached media are cached before the text',
    { audioTokens: 60, cachedTokens: 30, cachedAudioTokens: 25 },
    { cached: 30, audio: 35, cachedAudio: 25 },
  ],
  [
    'audio and images above the prompt are capped',
    { audioTokens: 70, imageTokens: 90, cachedTokens: 100 },
    { cached: 100, cachedAudio: 70, cachedImage: 30 },
  ],
  [
    'cached images above the images are capped',
    { imageTokens: 10, cachedTokens: 50, cachedImageTokens: 40 },
    { cached: 50, cachedImage: 10 },
  ],
  [
    'parts of a completion are capped',
    { reasoningTokens: 30, audioCompletionTokens: 30, imageCompletionTokens: 30 },
    { reasoning: 30, audioCompletion: 20, imageCompletion: 0 },
  ],
])('%s', (_, reported, parts) => {
  expect(partsOf(reported)).toEqual({ ...noParts, ...parts });
});

it.each([{ audioTokens: 101 }, { audioTokens: -5, audioCompletionTokens: 'many' }, { imageTokens: Number.NaN }])(
  'impossible media counts are ignored: %j',
  (reported) => {
    expect(partsOf(reported)).toBeUndefined();
  },
);

const count = fc.oneof(
  fc.integer({ min: -10, max: 3000 }),
  fc.constantFrom<unknown>(undefined, null, Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1e300, 0.5, '7', {}, []),
);
const anyClaim = fc.record({
  promptTokens: fc.integer({ min: 1, max: 2500 }),
  completionTokens: fc.integer({ min: 0, max: 2500 }),
  cachedTokens: count,
  cacheWriteTokens: count,
  cacheLongWriteTokens: count,
  reasoningTokens: count,
  audioTokens: count,
  imageTokens: count,
  cachedAudioTokens: count,
  cachedImageTokens: count,
  audioCompletionTokens: count,
  imageCompletionTokens: count,
});
const ratio = fc.oneof(fc.constant(1), fc.double({ min: 0, max: 70, noNaN: true }));
const anyPrice: fc.Arbitrary<Price> = fc.record({
  model_ratio: ratio,
  completion_ratio: ratio,
  group_ratio: ratio,
  group: fc.constant(''),
  cache_read_ratio: ratio,
  cache_write_ratio: ratio,
  cache_long_write_ratio: ratio,
  reasoning_ratio: ratio,
  audio_ratio: ratio,
  cached_audio_ratio: ratio,
  audio_completion_ratio: ratio,
  image_ratio: ratio,
  cached_image_ratio: ratio,
  image_completion_ratio: ratio,
  call_points: ratio,
});

it('the parts of any reported usage are disjoint, add up to the total, and never cost more than the reservation', () => {
  const request = send('x'.repeat(2000));
  fc.assert(
    fc.property(anyClaim, anyPrice, fc.nat(2500), fc.nat(2500), (reported, price, audio, image) => {
      const { prompt = 0, completion = 0, parts: read } = readUsage(reported, request);
      const most = { ...noParts, audio, image };
      const parts = capMediaTokens(read ?? noParts, most);
      const lines = linesOf(prompt, completion, parts);
      for (const tokens of Object.values(lines)) expect(tokens).toBeGreaterThanOrEqual(0);
      const { text, reasoning, audioCompletion, imageCompletion, ...ofPrompt } = lines;
      expect(text + reasoning + audioCompletion + imageCompletion).toBe(completion);
      expect(Object.values(ofPrompt).reduce((sum, tokens) => sum + tokens, 0)).toBe(prompt);
      const charged = quotaOf({ prompt, completion, parts }, price);
      expect(Number.isSafeInteger(charged) && charged >= 0).toBe(true);
      expect(charged).toBeLessThanOrEqual(maxQuotaOf({ prompt, completion, parts: most }, price));
    }),
    { numRuns: 2000 },
  );
});

/** Tokens of every part, each counted once. */
function linesOf(prompt: number, completion: number, parts: TokenParts) {
  const { cached, written, writtenLong, reasoning, audio = 0, image = 0, cachedAudio = 0, cachedImage = 0 } = parts;
  const { audioCompletion = 0, imageCompletion = 0 } = parts;
  return {
    input: prompt - cached - written - audio - image,
    cachedText: cached - cachedAudio - cachedImage,
    short: written - writtenLong,
    ...{ cachedAudio, cachedImage, writtenLong, audio, image },
    text: completion - reasoning - audioCompletion - imageCompletion,
    ...{ reasoning, audioCompletion, imageCompletion },
  };
}

it('a per-request price is charged once per charged request, times the group ratio', () => {
  const price = { ...priceFor('gpt-5'), model_ratio: 0, group_ratio: 2, call_points: 1000 };
  expect(quotaOf({ prompt: 5, completion: 0 }, price)).toBe(2000);
  expect(maxQuotaOf({ prompt: 5, completion: 100 }, price)).toBe(2000);
  expect(quotaOf({ prompt: 0, completion: 0 }, price)).toBe(0);
});
