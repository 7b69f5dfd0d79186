import { isObject, objectAt, textAt } from '@headgate/dialects';
import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { defaultProblem } from '../default-problem.ts';
import { readModelIds } from './pass-through.ts';

/** Responses pass unchanged; only errors and model lists are parsed. */
for (const provider of ['deepseek', 'groq', 'mistral', 'moonshot', 'openai', 'openrouter', 'xai', 'zhipu']) {
  describe(`recorded ${provider} responses`, () => {
    const recordings = recordingsOf(provider);

    test('reads every error with its message', () => {
      for (const { name, status, json } of recordings) {
        if (status < 400 || !isObject(json)) continue;
        const message = textAt(objectAt(json, 'error'), 'message') || textAt(json, 'error') || textAt(json, 'message');
        const problem = defaultProblem(status, json);
        expect(problem.status, name).toBe(status);
        expect(message === '' || problem.message === message, `${name}: ${problem.message}`).toBe(true);
      }
    });

    test('reads every model list completely', () => {
      for (const { name, json } of recordings) {
        if (!isObject(json) || json['object'] !== 'list' || !Array.isArray(json['data'])) continue;
        const rows = json['data'] as readonly unknown[];
        if (!rows.every((row) => isObject(row) && row['object'] === 'model')) continue;
        expect(readModelIds(json), name).toHaveLength(rows.length);
      }
    });
  });
}
