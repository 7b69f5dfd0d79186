import { expect, test } from 'vitest';
import { fitBody } from '../fit-request.ts';
import type { JsonObject, Provider } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { moonshot, openai, openRouter } from './vendors.ts';

const ignored = (provider: Provider, body: JsonObject, model: string) =>
  fitBody(body, passThroughEndpoint(provider, 'chat'), { ...testUpstream, model }).ignored;

test('drops parameters that the model rejects, at any vendor', () => {
  const body = { temperature: 0.2, top_p: 0.9, presence_penalty: 0.5, seed: 1 };
  expect(ignored(openai, body, 'o3-mini')).toEqual(['temperature', 'top_p', 'presence_penalty']);
  expect(ignored(openai, body, 'claude-opus-4-7')).toEqual(['temperature', 'top_p']);
  expect(ignored(openRouter, body, 'anthropic/claude-sonnet-4.5')).toEqual(['top_p']);
  expect(ignored(openai, body, 'gpt-4o')).toEqual([]);
});

test('drops OpenRouter fields that select a model other than the priced one', () => {
  const body = { models: ['anthropic/claude-opus-4'], route: 'fallback', preset: 'big', temperature: 1 };
  expect(ignored(openRouter, body, 'openai/gpt-4o-mini')).toEqual(['models', 'route', 'preset']);
});

test('drops sampling parameters for Kimi K2.5 and later only at Moonshot', () => {
  const body = { temperature: 0.6, top_p: 0.9, seed: 1 };
  for (const model of ['kimi-k2.5', 'kimi-k2.6', 'kimi-k3']) {
    expect(ignored(moonshot, body, model)).toEqual(['temperature', 'top_p']);
  }
  expect(ignored(moonshot, body, 'kimi-k2-turbo-preview')).toEqual([]);
  expect(ignored(openRouter, body, 'moonshotai/kimi-k2.5')).toEqual([]);
});
