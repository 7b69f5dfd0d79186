import { describe, expect, test } from 'vitest';
import { detectCaching } from '../metering/usage-estimate.ts';
import { noRatios } from '../testing/no-ratios.ts';
import { type Price, priceOf, type SavedRatios } from './price.ts';
import { maxQuotaOf, quotaOf, type TokenCount } from './quota-of.ts';

const million = 1_000_000;
const price = (model: string, saved: Partial<SavedRatios> = {}) =>
  priceOf(model, { type: 1 }, 'default', {
    ...noRatios,
    ModelRatio: { [model]: 2 },
    CompletionRatio: { [model]: 5 },
    ...saved,
  });
const priceForBody = (given: Price, body: object) =>
  given.byCaching?.[detectCaching({ bytes: Buffer.from(JSON.stringify(body)) })] ?? given;
const partsOf = (parts: Partial<TokenCount['parts']>) => ({
  cached: 0,
  written: 0,
  writtenLong: 0,
  reasoning: 0,
  ...parts,
});

describe('cache prices', () => {
  const claude = price('claude-sonnet-4-6');

  test.each([
    ['read from the cache at a tenth of the price', { cached: million }, 0.1],
    ['written to the cache for minutes at 125% of the price', { written: million }, 1.25],
    ['written to the cache for an hour at twice the price', { written: million, writtenLong: million }, 2],
  ])('charges a Claude prompt %s', (_, parts, times) => {
    expect(quotaOf({ prompt: million, completion: 0, parts: partsOf(parts) }, claude)).toBe(2 * million * times);
  });

  test.each([
    ['gpt-5', 0.1],
    ['gpt-4.1-mini', 0.25],
    ['gpt-4o', 0.5],
    ['gemini-2.5-flash', 0.1],
    ['an-unknown-model', 1],
  ])('charges a cache read of %s at %d of the prompt price', (model, times) => {
    const used = { prompt: million, completion: 0, parts: partsOf({ cached: million }) };
    expect(quotaOf(used, price(model))).toBe(2 * million * times);
  });

  test('prefers saved ratios over built-in ones, and prices reasoning', () => {
    const model = 'claude-sonnet-4-6';
    const own = price(model, { CacheReadRatio: { [model]: 0.5 }, ReasoningRatio: { [model]: 3 } });
    const used = { prompt: 100, completion: 10, parts: partsOf({ cached: 100, reasoning: 10 }) };
    expect(quotaOf(used, own)).toBe((50 + 10 * 5 * 3) * 2);
  });

  test('uses the part ratios of the target model for an alias without its own ratios', () => {
    const channel = { type: 14, modelMapping: new Map([['house-model', 'claude-sonnet-4-6']]) };
    const priceWith = (saved: Partial<SavedRatios>) =>
      priceOf('house-model', channel, 'default', { ...noRatios, ModelRatio: { 'house-model': 2 }, ...saved });
    const read = { prompt: 1000, completion: 0, parts: partsOf({ cached: 1000 }) };
    const written = { prompt: 1000, completion: 0, parts: partsOf({ written: 1000 }) };
    expect(quotaOf(read, priceWith({}))).toBe(200);
    expect(quotaOf(written, priceWith({}))).toBe(2500);
    expect(quotaOf(read, priceWith({ CacheReadRatio: { 'claude-sonnet-4-6': 0.5 } }))).toBe(1000);
    expect(quotaOf(read, priceWith({ CacheReadRatio: { 'house-model': 1 } }))).toBe(2000);
  });

  test('charges and reserves cached tokens as plain prompt tokens when the request did not enable caching', () => {
    const plain = priceForBody(claude, { messages: [{ role: 'user', content: 'hi' }] });
    const used = { prompt: 1000, completion: 0, parts: partsOf({ written: 1000, writtenLong: 1000 }) };
    expect(quotaOf(used, plain)).toBe(2000);
    expect(maxQuotaOf({ prompt: 1000, completion: 0 }, plain)).toBe(2000);
  });

  test.each([
    ['for minutes', { cache_control: { type: 'ephemeral' } }, 1.25],
    ['for an hour', { cache_control: { type: 'ephemeral', ttl: '1h' } }, 2],
  ])('reserves the cache price when a request enables caching %s', (_, body, times) => {
    expect(maxQuotaOf({ prompt: 1000, completion: 0 }, priceForBody(claude, body))).toBe(2000 * times);
  });

  test('reserves the cache price when the caching field contains escaped letters', () => {
    expect(detectCaching({ bytes: Buffer.from('{"\\u0063ache_control":{"type":"ephemeral","ttl":"1h"}}') })).toBe(
      'long',
    );
    expect(detectCaching({ bytes: Buffer.from('{"cache_control":{"type":"ephemeral","ttl":"\\u0031h"}}') })).toBe(
      'long',
    );
  });
});

/** Pseudo-random numbers that are the same in every run. */
function* dice(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield state / 2 ** 31;
  }
}

test('[A5.16] the parts add up to the charge, and the charge never exceeds the reservation, for any request', () => {
  const rolls = dice(14);
  const upTo = (max: number) => Math.floor(rolls.next().value * (max + 1));
  for (let round = 0; round < 5000; round += 1) {
    const prompt = upTo(400_000);
    const completion = upTo(20_000);
    const cached = upTo(prompt);
    const written = upTo(prompt - cached);
    const parts = { cached, written, writtenLong: upTo(written), reasoning: upTo(completion) };
    const model = ['claude-sonnet-4-5', 'gpt-5', 'gemini-2.5-pro', 'own'][upTo(3)] ?? 'own';
    const ratio = () => ({ [model]: rolls.next().value * 3 });
    const given = price(model, {
      ModelRatio: ratio(),
      CompletionRatio: ratio(),
      ...(model === 'own' && { CacheReadRatio: ratio(), CacheWriteRatio: ratio(), CacheLongWriteRatio: ratio() }),
      ReasoningRatio: ratio(),
      GroupRatio: { default: rolls.next().value * 2 },
    });
    const requested = given.byCaching?.[(['none', 'short', 'long'] as const)[upTo(2)] ?? 'none'] ?? given;
    const used = { prompt, completion, parts };
    const charged = quotaOf(used, requested);
    expect(charged).toBeLessThanOrEqual(maxQuotaOf({ prompt, completion }, requested));
    const sum = sumOfParts(used, requested);
    expect(charged).toBeGreaterThanOrEqual(Math.floor(sum * (1 - 1e-8)));
    expect(charged).toBeLessThanOrEqual(Math.max(1, Math.ceil(sum * (1 + 1e-8))));
  }
});

/** Sum of the parts, each calculated separately. */
function sumOfParts(
  { prompt, completion, parts }: Required<Pick<TokenCount, 'prompt' | 'completion' | 'parts'>>,
  given: Price,
) {
  const price = given.tiers?.findLast(({ above }) => prompt > above)?.price ?? given;
  const { cached, written, writtenLong, reasoning } = parts;
  const write = price.cache_write_ratio ?? 1;
  const lines = [
    prompt - cached - written,
    cached * (price.cache_read_ratio ?? 1),
    (written - writtenLong) * write,
    writtenLong * (price.cache_long_write_ratio ?? write),
    (completion - reasoning) * price.completion_ratio,
    reasoning * price.completion_ratio * (price.reasoning_ratio ?? 1),
  ];
  return lines.reduce((sum, line) => sum + line, 0) * price.model_ratio * price.group_ratio;
}
