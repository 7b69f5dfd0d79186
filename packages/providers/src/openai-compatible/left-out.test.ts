import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passedEndpoint } from '../testing/passed-endpoint.ts';
import { openai, openRouter, xai } from './vendors.ts';

describe('of what is passed on', () => {
  const leftOut = (provider: typeof openai, body: JsonObject, model: string) =>
    passedEndpoint(provider, 'chat').leavesOut?.(body, { ...testUpstream, model });

  test('OpenAI’s models that think get no hints', () => {
    const asked = { temperature: 0.2, top_p: 1, presence_penalty: 0.5, seed: 1 };
    expect(leftOut(openai, asked, 'o3-mini')).toEqual(['temperature', 'presence_penalty']);
    expect(leftOut(openai, asked, 'gpt-5-mini')).toEqual(['temperature', 'presence_penalty']);
    expect(leftOut(openai, { temperature: 1 }, 'o3')).toEqual([]);
    for (const model of ['gpt-4o', 'gpt-5-chat-latest', 'gpt-5.1']) expect(leftOut(openai, asked, model)).toEqual([]);
  });

  test('OpenRouter is told of no other model than the one that was judged and priced', () => {
    const asked = { models: ['anthropic/claude-opus-4'], route: 'fallback', preset: 'big', temperature: 1 };
    expect(leftOut(openRouter, asked, 'openai/gpt-4o-mini')).toEqual(['models', 'route', 'preset']);
  });

  test('xAI’s models that think get no penalties and no stop', () => {
    expect(leftOut(xai, { stop: 'a', presence_penalty: 1 }, 'grok-4')).toEqual(['presence_penalty', 'stop']);
    expect(leftOut(xai, { stop: 'a' }, 'grok-2')).toEqual([]);
  });
});
