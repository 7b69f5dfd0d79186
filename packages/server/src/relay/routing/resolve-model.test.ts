import { describe, expect, it } from 'vitest';
import { resolveModel } from './resolve-model.ts';

const models = new Set(['gpt-5', 'kimi-k2', 'kimi-k2-thinking', 'gpt-4o']);
const aliases = [
  { id: 1, pattern: 'fast', model: 'gpt-5', created_time: 0 },
  { id: 2, pattern: 'gpt-5-high', model: 'gpt-4o', created_time: 0 },
  { id: 3, pattern: 'smart', model: 'gpt-5-medium', created_time: 0 },
];
const tables = (isOn = true) => ({
  channels: { knows: (model: string) => models.has(model) },
  routing: {
    aliasOf: (name: string) => {
      const alias = aliases.find(({ pattern }) => pattern === name);
      return alias && { alias, model: alias.model };
    },
    isNamedByRule: (model: string) => model === 'planned-low',
  },
  hasSuffixes: () => isOn,
});

describe('a requested model name', () => {
  it.each([
    ['resolves a suffix', 'gpt-5-low', { model: 'gpt-5', base: 'gpt-5', reasoning: { effort: 'low' } }],
    ['prefers a model with the whole name', 'kimi-k2-thinking', { model: 'kimi-k2-thinking' }],
    ['prefers a model that a rule names', 'planned-low', { model: 'planned-low' }],
    ['prefers an alias with the whole name', 'gpt-5-high', { model: 'gpt-4o' }],
    ['resolves a suffix of an alias', 'fast-low', { model: 'gpt-5', base: 'fast', reasoning: { effort: 'low' } }],
    ['resolves a suffix of the target of an alias', 'smart', { model: 'gpt-5', reasoning: { effort: 'medium' } }],
    ['keeps the name when its base is no model', 'unknown-high', { model: 'unknown-high' }],
    ['keeps a name without a suffix', 'gpt-5', { model: 'gpt-5' }],
  ])('%s', (_, name, expected) => {
    const resolved = resolveModel(tables(), name);
    expect(resolved).toMatchObject(expected);
    if (!('reasoning' in expected)) expect(resolved).not.toHaveProperty('reasoning');
  });

  it('is not parsed for a suffix if the option is off or the endpoint takes no conversation', () => {
    expect(resolveModel(tables(false), 'gpt-5-low').model).toBe('gpt-5-low');
    expect(resolveModel(tables(), 'gpt-5-low', false).model).toBe('gpt-5-low');
  });
});
