import { describe, expect, it } from 'vitest';
import { namesWithReasoningSuffix, splitReasoningSuffix } from './reasoning-suffix.ts';

describe('reasoning suffix', () => {
  it.each([
    ['gpt-5-minimal', 'gpt-5', { effort: 'minimal' }],
    ['gpt-5-low', 'gpt-5', { effort: 'low' }],
    ['gpt-5-medium', 'gpt-5', { effort: 'medium' }],
    ['gpt-5-high', 'gpt-5', { effort: 'high' }],
    ['gpt-5.4-xhigh', 'gpt-5.4', { effort: 'xhigh' }],
    ['gpt-5.1-none', 'gpt-5.1', { effort: 'none' }],
    ['claude-opus-4-7-max', 'claude-opus-4-7', { effort: 'max' }],
    ['claude-sonnet-4-5-thinking', 'claude-sonnet-4-5', { effort: 'medium' }],
    ['gemini-2.5-flash-nothinking', 'gemini-2.5-flash', { effort: 'none' }],
    ['gemini-2.5-flash-thinking-0', 'gemini-2.5-flash', { effort: 'none' }],
    ['gemini-2.5-flash-thinking-2048', 'gemini-2.5-flash', { effort: 'low', budget: 2048 }],
    ['gemini-2.5-flash-thinking-8192', 'gemini-2.5-flash', { effort: 'medium', budget: 8192 }],
    ['gemini-2.5-pro-thinking-32768', 'gemini-2.5-pro', { effort: 'high', budget: 32_768 }],
    // Only the last suffix is read.
    ['kimi-k2-thinking-low', 'kimi-k2-thinking', { effort: 'low' }],
  ])('is split off %s', (name, model, reasoning) => {
    expect(splitReasoningSuffix(name)).toEqual({ model, reasoning });
  });

  it.each(['gpt-5', '-high', 'high', 'gpt-5-higher', 'x-thinking-', 'x-thinking-1000001', 'x-thinking-1.5', 'x-High'])(
    'is not found in %s',
    (name) => {
      expect(splitReasoningSuffix(name)).toBeUndefined();
    },
  );

  it('is listed only for models that accept it', () => {
    expect(namesWithReasoningSuffix('gpt-5')).toEqual(['gpt-5-minimal', 'gpt-5-low', 'gpt-5-medium', 'gpt-5-high']);
    expect(namesWithReasoningSuffix('claude-sonnet-4-5')).toEqual([
      'claude-sonnet-4-5-thinking',
      'claude-sonnet-4-5-nothinking',
    ]);
    expect(namesWithReasoningSuffix('gemini-2.5-pro')).toEqual(['gemini-2.5-pro-thinking']);
    for (const model of [
      'gpt-4o',
      'gpt-5-chat-latest',
      'claude-3-5-haiku',
      'gemini-2.5-flash-image',
      'kimi-k2-thinking',
    ])
      expect(namesWithReasoningSuffix(model), model).toEqual([]);
  });
});
