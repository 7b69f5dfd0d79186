import { expect, test } from 'vitest';
import { contextWindowOf } from './context-windows.ts';
import { modelRatios } from './ratios.ts';

test.each([
  ['gpt-4', 8192],
  ['gpt-4-0613', 8192],
  ['gpt-4-32k-0314', 32_768],
  ['gpt-4-turbo-2024-04-09', 128_000],
  ['gpt-4-1106-preview', 128_000],
  ['gpt-4o-mini-2024-07-18', 128_000],
  ['gpt-4.1-nano', 1_047_576],
  ['gpt-3.5-turbo', 16_385],
  ['gpt-3.5-turbo-instruct', 4096],
  ['o1-mini-2024-09-12', 128_000],
  ['o3-mini-2025-01-31', 200_000],
  ['claude-2.0', 100_000],
  ['claude-3-5-sonnet-20241022', 200_000],
  ['gemini-1.5-pro', 2_097_152],
  ['gemini-2.0-flash-001', 1_048_576],
  ['grok-4-fast-reasoning', 2_000_000],
  ['grok-4.20-0309-reasoning', 2_000_000],
  ['grok-4.5', 500_000],
  ['grok-4-0709', 256_000],
  ['grok-3-mini', 131_072],
  ['gpt-5.4', 1_050_000],
  ['claude-opus-4-6', 1_000_000],
  ['claude-sonnet-5', 1_000_000],
  ['gemini-3.1-pro-preview', 1_048_576],
  ['qwen-long', 10_000_000],
  ['moonshot-v1-8k', 8192],
  ['step-1v-32k', 32_768],
  ['ERNIE-3.5-8K-0205', 8192],
  ['hunyuan-standard-256K', 262_144],
])('%s has a context window of %i tokens', (model, tokens) => {
  expect(contextWindowOf(model)).toBe(tokens);
  // The second lookup comes from the cache.
  expect(contextWindowOf(model)).toBe(tokens);
});

test.each([
  '',
  'gpt-4ultra',
  'gpt-40',
  'claude',
  'my-model-8k',
  'gpt-3.5-turbo-0301',
  'toString',
  'gemini-9',
  'grok-4.9',
  'gpt-5.4-mini',
  'claude-sonnet-4-5',
])('returns no context window for an unknown model: %s', (model) => expect(contextWindowOf(model)).toBeUndefined());

test('lists only plausible context windows', () => {
  for (const model of Object.keys(modelRatios)) {
    const tokens = contextWindowOf(model);
    if (tokens !== undefined) expect(tokens, model).toBeGreaterThanOrEqual(4096);
  }
});
