import { describe, expect, it } from 'vitest';
import { reasoningFields } from './registry.ts';

const high = { effort: 'high' };
const none = { effort: 'none' };
const budget = { effort: 'medium', budget: 8192 };

describe('reasoning setting in a chat request', () => {
  const chat = (setting: { effort: string; budget?: number }, model: string, body = {}, features = {}) =>
    reasoningFields('chat', setting, body, { model, features });

  it.each([
    ['gpt-5', { effort: 'none' }, { reasoning_effort: 'minimal' }],
    ['gpt-5', { effort: 'max' }, { reasoning_effort: 'high' }],
    ['gpt-5.4', { effort: 'max' }, { reasoning_effort: 'xhigh' }],
    ['gpt-5.4', { effort: 'minimal' }, { reasoning_effort: 'low' }],
    ['o3', { effort: 'xhigh' }, { reasoning_effort: 'high' }],
    ['o3', budget, { reasoning_effort: 'medium' }],
    ['gpt-4o', none, {}],
    ['some-model', none, {}],
  ])('uses the closest level that %s supports', (model, setting, expected) => {
    expect(chat(setting, model)).toEqual(expected);
  });

  it("replaces the client's fields", () => {
    const body = { reasoning_effort: 'low', thinking: { type: 'enabled' }, enable_thinking: true };
    expect(chat(high, 'gpt-5', body)).toEqual({
      reasoning_effort: 'high',
      thinking: undefined,
      enable_thinking: undefined,
    });
  });

  it.each([
    ['thinking', high, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['thinking', none, { thinking: { type: 'disabled' } }],
    ['enable_thinking', budget, { enable_thinking: true, thinking_budget: 8192 }],
    ['enable_thinking', none, { enable_thinking: false }],
    ['reasoning', high, { reasoning: { effort: 'high' } }],
    ['reasoning', budget, { reasoning: { max_tokens: 8192 } }],
  ])('uses the field %s of a vendor', (reasoningField, setting, expected) => {
    expect(chat(setting, 'some-model', {}, { reasoningField })).toEqual(expected);
  });

  it.each(['gpt-4o', 'gpt-5-chat-latest', 'grok-4'])('is rejected for %s', (model) => {
    expect(() => chat(high, model)).toThrow(`${model} has no reasoning levels`);
  });
});

it('writes the effort of a Responses request and keeps its summary', () => {
  const body = { reasoning: { effort: 'low', summary: 'auto' } };
  expect(reasoningFields('responses', high, body, { model: 'o3' })).toEqual({
    reasoning: { effort: 'high', summary: 'auto' },
  });
});

describe('reasoning setting in a Claude request', () => {
  const claude = (setting: { effort: string; budget?: number }, model: string, body = {}) =>
    reasoningFields('messages', setting, { max_tokens: 32_000, ...body }, { model });
  const adaptive = { type: 'adaptive', display: 'summarized' };

  it.each([
    ['claude-sonnet-4-5', budget, { thinking: { type: 'enabled', budget_tokens: 8192 } }],
    ['claude-sonnet-4-5', { effort: 'max' }, { thinking: { type: 'enabled', budget_tokens: 25_600 } }],
    ['claude-sonnet-4-5', none, {}],
    ['claude-3-5-haiku', none, {}],
    ['claude-opus-4-6', { effort: 'xhigh' }, { thinking: adaptive, output_config: { effort: 'high' } }],
    ['claude-opus-4-7', { effort: 'xhigh' }, { thinking: adaptive, output_config: { effort: 'xhigh' } }],
    ['claude-opus-4-7', { effort: 'max' }, { thinking: adaptive, output_config: { effort: 'max' } }],
    ['claude-opus-4-7', none, { output_config: { effort: 'low' } }],
  ])('is translated for %s', (model, setting, expected) => {
    expect(claude(setting, model)).toEqual({ thinking: undefined, output_config: undefined, ...expected });
  });

  it('keeps other output settings, and is rejected for models without reasoning', () => {
    const body = { output_config: { effort: 'low', format: { type: 'json_schema' } } };
    expect(claude(high, 'claude-sonnet-4-5', body)['output_config']).toEqual({ format: { type: 'json_schema' } });
    expect(() => claude(high, 'claude-3-5-haiku')).toThrow('claude-3-5-haiku has no reasoning levels');
  });
});

describe('reasoning setting in a Gemini request', () => {
  const gemini = (setting: { effort: string; budget?: number }, model: string, body = {}) =>
    reasoningFields('generateContent', setting, body, { model });

  it("matches the generation and keeps the client's spelling and visibility", () => {
    expect(gemini(budget, 'gemini-2.5-flash')).toEqual({
      generationConfig: { thinkingConfig: { thinkingBudget: 8192 } },
    });
    expect(gemini(none, 'gemini-2.5-flash')).toEqual({ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } });
    expect(gemini({ effort: 'max' }, 'gemini-3-flash')).toEqual({
      generationConfig: { thinkingConfig: { thinkingLevel: 'high' } },
    });
    const body = {
      generation_config: { temperature: 1, thinking_config: { includeThoughts: true, thinkingBudget: 1 } },
    };
    expect(gemini(high, 'gemini-2.5-flash', body)).toEqual({
      generation_config: { temperature: 1, thinking_config: { includeThoughts: true, thinkingBudget: 24_576 } },
    });
    expect(() => gemini(high, 'gemini-2.0-flash')).toThrow('gemini-2.0-flash has no reasoning levels');
  });
});

it('is not written for endpoints without reasoning', () => {
  expect(reasoningFields('compact', high, {}, { model: 'gpt-5' })).toEqual({});
});
