import { silentWav } from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { readUsage } from '../metering/read-usage.ts';
import { estimateUsage } from '../metering/usage-estimate.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { noRatios } from '../testing/no-ratios.ts';
import { priceOf } from './price.ts';
import { maxQuotaOf, quotaOf, type TokenCount } from './quota-of.ts';

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

const ask = (content: unknown) =>
  readRequest(
    endpointKinds.chat,
    Buffer.from(JSON.stringify({ model: 'gemini-2.5-flash', max_tokens: 10, messages: [{ role: 'user', content }] })),
  );
const channel = { type: 24, modelMapping: new Map(), systemPrompt: '' } as never;
const reserved = (content: unknown) =>
  maxQuotaOf(
    estimateUsage(ask(content), [channel], { typicalCompletion: 500, longestCompletion: 128_000 }).most,
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

it('caps audio and image tokens at the total, and charges cached audio at the cache price', () => {
  const request = ask('x'.repeat(2000));
  const claim = { promptTokens: 100, completionTokens: 50, totalTokens: 150 };
  const partsOf = (parts: object) => readUsage({ ...claim, ...parts }, request).parts;
  expect(partsOf({ audioTokens: 60, cachedTokens: 80 })).toMatchObject({ cached: 80, audio: 20 });
  expect(partsOf({ audioTokens: 101 })).not.toHaveProperty('audio');
  expect(partsOf({ audioTokens: -5, audioCompletionTokens: 'many' })).not.toHaveProperty('audio');
  expect(partsOf({ reasoningTokens: 30, audioCompletionTokens: 30, imageCompletionTokens: 30 })).toMatchObject({
    reasoning: 30,
    audioCompletion: 20,
    imageCompletion: 0,
  });
});
