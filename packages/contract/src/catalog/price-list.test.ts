import { describe, expect, it } from 'vitest';
import { priceParts } from './price.ts';
import { type CurrentPrice, canApplyAutomatically, proposePrices, readPriceList } from './price-list.ts';

const modelsDev = {
  openai: {
    id: 'openai',
    models: {
      'gpt-5': { cost: { input: 1.5, output: 10, cache_read: 0.125 } },
      free: { cost: { input: 0, output: 0 } },
      none: {},
    },
  },
  cheap: { id: 'cheap', models: { 'gpt-5': { cost: { input: 0.1, output: 0.2 } } } },
};

const row = (
  model: string,
  price: Partial<CurrentPrice['price']>,
  extra: Partial<CurrentPrice> = {},
): CurrentPrice => ({
  model,
  unit: 'tokens',
  source: 'built_in',
  price: { ...Object.fromEntries(priceParts.map((part) => [part, 1])), ...price } as CurrentPrice['price'],
  built_in: null,
  channels: 1,
  ...extra,
});

const read = (value: unknown) => {
  const list = readPriceList(value);
  if (!list) throw new Error('unknown list');
  return list;
};

describe('readPriceList', () => {
  it('reads models.dev', () => {
    const { format, prices, skipped } = read(modelsDev);
    expect([format, skipped]).toEqual(['models_dev', 1]);
    expect(prices[0]).toEqual({
      ...{ model: 'gpt-5', provider: 'openai', unit: 'tokens' },
      price: { input: 1.5, output: 10, cached: 0.125 },
    });
  });

  it("reads LiteLLM's price map, including other billing units", () => {
    const { format, prices, skipped } = read({
      'azure/gpt-5': {
        litellm_provider: 'azure',
        mode: 'chat',
        input_cost_per_token: 1.25e-6,
        output_cost_per_token: 1e-5,
      },
      'dall-e-3': { litellm_provider: 'openai', mode: 'image_generation', output_cost_per_image: 0.04 },
      'whisper-1': { litellm_provider: 'openai', mode: 'audio_transcription', input_cost_per_second: 0.0001 },
      'tts-1': { litellm_provider: 'openai', mode: 'audio_speech', input_cost_per_character: 0.000015 },
      'mistral/mistral-ocr-latest': {
        litellm_provider: 'mistral',
        mode: 'ocr',
        ocr_cost_per_page: 0.004,
        annotation_cost_per_page: 0.005,
      },
      'embed-v4': {
        litellm_provider: 'cohere',
        mode: 'embedding',
        input_cost_per_token: 1e-7,
        output_cost_per_token: 0,
      },
      sample: { litellm_provider: 'x', mode: 'chat' },
    });
    expect([format, skipped]).toEqual(['litellm', 1]);
    expect(prices.map(({ model, provider, unit, price }) => [model, provider, unit, price])).toEqual([
      ['gpt-5', 'azure', 'tokens', { input: 1.25, output: 10 }],
      ['dall-e-3', 'openai', 'picture', { input: 0.04 }],
      ['whisper-1', 'openai', 'second', { input: 0.0001 }],
      ['tts-1', 'openai', 'characters', { input: 15 }],
      ['mistral-ocr-latest', 'mistral', 'page', { input: 0.004 }],
      ['embed-v4', 'cohere', 'tokens', { input: 0.1 }],
    ]);
  });

  it.each([
    [
      '/api/pricing',
      {
        data: [
          {
            ...{ model_name: 'm', quota_type: 0, model_ratio: 1.5, completion_ratio: 4, cache_ratio: 0.1 },
            ...{ audio_ratio: 16, audio_completion_ratio: 2, image_ratio: 2 },
          },
          { model_name: 'per-call', quota_type: 1, model_ratio: 0, model_price: 0.1 },
        ],
      },
    ],
    [
      '/api/ratio_config',
      {
        data: {
          ...{ model_ratio: { m: 1.5 }, completion_ratio: { m: 4 }, cache_ratio: { m: 0.1 } },
          ...{ audio_ratio: { m: 16 }, audio_completion_ratio: { m: 2 }, image_ratio: { m: 2 } },
          model_price: { 'per-call': 0.1, m: 5 },
        },
      },
    ],
  ])('reads %s of a gateway', (_, value) => {
    const price = { input: 3, output: 12, cached: 0.3, audio: 48, audio_output: 96, image: 6 };
    expect(read(value).prices).toEqual([
      { model: 'm', provider: 'gateway', unit: 'tokens', price },
      { model: 'per-call', provider: 'gateway', unit: 'tokens', price: { input: 0, call: 0.1 } },
    ]);
  });

  it.each([[null], [[]], ['x'], [{}], [{ data: [] }], [{ a: { b: 1 } }]])('rejects %j', (value) => {
    expect(readPriceList(value)).toBeUndefined();
  });

  it('skips implausible amounts', () => {
    const cost = [{ input: -1 }, { input: '1' }, { input: 1e9 }, { input: null }, 7];
    const models = Object.fromEntries(cost.map((each, index) => [`m${index}`, { cost: each }]));
    expect(read({ x: { id: 'x', models } }).prices).toEqual([]);
  });
});

it.each([
  ['a mode that is no text', { litellm_provider: 'openai', mode: { toString: 1 }, input_cost_per_token: 1e-6 }, 1],
  ['a provider that is no text', { litellm_provider: { toString: 1 }, input_cost_per_token: 1e-6 }, 0],
  ['an infinite amount', { litellm_provider: 'openai', input_cost_per_token: Number.POSITIVE_INFINITY }, 0],
])('[A72.2] reads a LiteLLM entry with %s', (_, entry, count) => {
  expect(read({ constructor: entry, ['__proto__']: entry }).prices).toHaveLength(2 * count);
});

it('[A72.4] skips entries with names that no model or provider can have', () => {
  const models = { ['m'.repeat(1000)]: { cost: { input: 1 } }, m: { cost: { input: 1 } } };
  expect(read({ a: { id: 'a'.repeat(1000), models }, b: { id: 'b', models } }).prices).toMatchObject([
    { model: 'm', provider: 'b' },
  ]);
});

it('[A72.2] omits prices of another gateway if the product of their ratios is implausible', () => {
  const data = { model_ratio: { m: 50_000 }, completion_ratio: { m: 100_000 }, cache_ratio: { m: 1e-9 } };
  expect(read({ data }).prices).toMatchObject([{ price: { input: 100_000, cached: 0.0001 } }]);
  expect(read({ data }).prices[0]?.price).not.toHaveProperty('output');
});

describe('proposePrices', () => {
  const propose = (list: unknown, ...rows: CurrentPrice[]) => proposePrices(read(list), rows);

  it.each([
    ['omits the output', { input: 1.05 }],
    ['calls the output free', { input: 1.05, output: 0 }],
  ])('[A72.1] keeps the ratios of a price when the list %s', (_, cost) => {
    const zeros = Object.fromEntries(priceParts.map((part) => [part, 0]));
    const price = { ...zeros, input: 1, output: 10, cached: 0.1, cached_audio: 0.2, call: 0.5 };
    const list = { openai: { id: 'openai', models: { 'gpt-x': { cost } } } };
    const [proposal] = propose(list, row('gpt-x', price));
    expect(proposal).toMatchObject({
      kind: 'rise',
      percent: 5,
      after: { input: 1.05, output: 10.5, cached: 0.105, cached_audio: 0.21, call: 0.5 },
    });
  });

  it('[A72.1] omits ratios that equal the built-in ratio', () => {
    const price = { input: 1, output: 8, cached: 0.1 };
    const [proposal] = propose(modelsDev, row('gpt-5', price, { built_in: row('gpt-5', price).price }));
    expect(Object.keys(proposal?.after ?? {})).toEqual(['input', 'output', 'cached', 'call']);
  });

  it("prefers the vendor's own price over the lowest one", () => {
    expect(propose(modelsDev, row('gpt-5', { input: 1.25, output: 10, cached: 0.125 }))).toMatchObject([
      { kind: 'rise', provider: 'openai', percent: 20, after: { input: 1.5, output: 10, cached: 0.125 } },
    ]);
  });

  it('proposes nothing for unchanged prices and unlisted models', () => {
    expect(propose(modelsDev, row('gpt-5', { input: 1.5, output: 10, cached: 0.125 }), row('other', {}))).toEqual([]);
  });

  const hosts = (...inputs: number[]) =>
    Object.fromEntries(
      inputs.map((input, index) => [`h${index}`, { id: `h${index}`, models: { m: { cost: { input, output: 2 } } } }]),
    );

  it('prices a new model if its hosting providers agree', () => {
    const unpriced = row('m', {}, { source: 'none' });
    expect(propose(hosts(1, 1), unpriced)).toMatchObject([
      { kind: 'new', before: null, after: { input: 1, output: 2 } },
    ]);
    expect(propose(hosts(1, 3), unpriced)).toMatchObject([{ kind: 'ambiguous', provider: 'h0, h1', after: null }]);
    expect(propose(hosts(3), row('m', { input: 1 }))).toEqual([]);
  });

  it.each([
    ['from_zero', { input: 0, output: 0, cached: 0 }, { input: 1, output: 10 }],
    ['to_zero', { input: 1 }, { input: 0, output: 0 }],
    ['fall', { input: 2, output: 10 }, { input: 1, output: 10 }],
  ])('gives the reason for a change: %s', (kind, before, cost) => {
    expect(propose({ openai: { id: 'openai', models: { 'gpt-5': { cost } } } }, row('gpt-5', before))).toMatchObject([
      { kind },
    ]);
  });

  it('does not compare prices of different units', () => {
    expect(propose(modelsDev, row('gpt-5', {}, { unit: 'picture' }))).toMatchObject([{ kind: 'unit', after: null }]);
  });

  it('applies changes without an admin only if every price part changes little', () => {
    const change = (cost: object) => {
      const [proposal] = propose(
        { openai: { id: 'openai', models: { 'gpt-5': { cost } } } },
        row('gpt-5', { input: 1, output: 10 }),
      );
      return proposal && canApplyAutomatically(proposal, 10);
    };
    expect(change({ input: 1.1, output: 10 })).toBe(true);
    expect(change({ input: 1.05, output: 5 })).toBe(false);
    expect(change({ input: 1.2, output: 10 })).toBe(false);
    expect(change({ input: 0, output: 0 })).toBe(false);
  });
});
