import { expect, test } from 'vitest';
import { currentModels } from './current-models.ts';

test('omits dated snapshots and superseded versions', () => {
  const current = ['gpt-5', 'gpt-4o', 'gpt-3.5-turbo', 'o3', 'text-embedding-3-small', 'dall-e-3', 'claude-opus-4-5'];
  const old = [
    ...['gpt-4o-2024-08-06', 'gpt-3.5-turbo-0613', 'gpt-4-1106-preview', 'gpt-4-32k-0314', 'claude-3-opus-20240229'],
    ...['text-davinci-003', 'claude-2.1', 'gemini-1.5-pro', 'gemini-2.0-flash-exp', 'o1-preview'],
  ];
  expect(currentModels([...old, ...current])).toEqual(current);
});

test('keeps names with numbers that are not dates or versions', () => {
  const names = ['qwen2.5-72b-instruct', 'moonshot-v1-128k', 'llama3-70b-8192', 'grok-4.20', 'codestral-2501'];
  expect(currentModels(names)).toEqual(names);
});

test('returns all models if all are dated', () => {
  expect(currentModels(['only-0613', 'only-0314'])).toEqual(['only-0613', 'only-0314']);
});
