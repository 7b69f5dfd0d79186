import { describe, expect, test } from 'vitest';
import { lookUpModelFacts } from './model-facts.ts';
import { providers } from './registry.ts';

describe('model facts', () => {
  test.each([
    ['gpt-4o', 'OpenAI', ['vision', 'tools', 'streaming']],
    ['openai/gpt-4o-mini', 'OpenAI', ['vision', 'tools', 'streaming']],
    ['gpt-4o-2024-08-06', 'OpenAI', ['vision', 'tools', 'streaming']],
    ['gpt-4', 'OpenAI', ['tools', 'streaming']],
    ['o3-mini', 'OpenAI', ['tools', 'reasoning', 'streaming']],
    ['text-embedding-3-small', 'OpenAI', ['embeddings']],
    ['dall-e-3', 'OpenAI', ['images']],
    ['whisper-1', 'OpenAI', ['transcription']],
    ['claude-3-haiku-20240307', 'Anthropic Claude', ['vision', 'tools', 'streaming']],
    ['claude-3-5-sonnet-latest', 'Anthropic Claude', ['vision', 'tools', 'streaming']],
    ['claude-sonnet-4-5', 'Anthropic Claude', ['vision', 'tools', 'reasoning', 'streaming']],
    ['gemini-2.5-pro', 'Google Gemini', ['vision', 'audio', 'tools', 'reasoning', 'streaming']],
    ['gemini-2.5-flash-image', 'Google Gemini', ['images']],
    ['glm-4.5v', 'Zhipu ChatGLM', ['vision', 'streaming']],
    ['glm-4-plus', 'Zhipu ChatGLM', ['tools', 'streaming']],
    ['qwen-vl-max', 'Alibaba Tongyi Qianwen', ['vision', 'streaming']],
    ['BAAI/bge-m3', 'BAAI', ['embeddings']],
  ])('the vendor of %s is %s', (model, provider, capabilities) => {
    expect(lookUpModelFacts(model)).toEqual({ provider, capabilities });
  });

  test.each([
    'gpt-4o-audio-preview',
    'gpt-4o-realtime-preview',
    'gpt-9',
    'gemini-2.5-flash-preview-tts',
    'claude-next',
  ])('returns the vendor but no capabilities for %s', (model) => {
    const { provider, capabilities } = lookUpModelFacts(model);
    expect(provider).not.toBe('');
    expect(capabilities).toEqual([]);
  });

  test.each(['', 'our-model', 'toString', 'gptx', 'o3x'])('returns no facts for %j', (model) => {
    expect(lookUpModelFacts(model)).toEqual({ provider: '', capabilities: [] });
  });

  test('lists each capability once', () => {
    for (const { models } of Object.values(providers))
      for (const model of models) {
        const { capabilities } = lookUpModelFacts(model);
        expect(new Set(capabilities).size, model).toBe(capabilities.length);
      }
  });
});
