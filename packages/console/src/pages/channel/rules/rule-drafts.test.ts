import { fillTemplate } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { lineDiff } from './line-diff.ts';
import {
  draftsOf,
  moveEntry,
  newAction,
  newRule,
  normalizeRulesText,
  parseDraft,
  ruleErrors,
  serializeDrafts,
} from './rule-drafts.ts';
import { ruleSummary } from './rule-summary.ts';

const when = {
  models: ['qwen3-*', 'gpt-4o'],
  dialects: ['openai'],
  endpoints: ['conversations'],
  fields: [
    { is: 'equals', path: 'a', value: '5' },
    { is: 'matches', path: 'user', pattern: 'team-*' },
    { is: 'exists', path: 'b' },
    { is: 'missing', path: 'c.0' },
  ],
};
const actions = [
  { do: 'set', path: 'metadata', value: { team: 'search', on: true } },
  { do: 'default', path: 'temperature', value: 0.2 },
  { do: 'set', path: 'tier', value: 'auto' },
  { do: 'remove', path: 'user' },
  { do: 'rename', path: 'seed', to: 'random_seed' },
  { do: 'set_header', header: 'x-team', value: 'Key {api_key}' },
  { do: 'remove_header', header: 'anthropic-beta' },
  { do: 'pass_header', header: 'x-trace' },
  { do: 'status', status: 529, retryable: false },
  { do: 'reject', message: 'Not here' },
];
const stored = JSON.stringify([{ name: 'first', when, ...Object.fromEntries([['then', actions]]) }]);

describe('rule drafts', () => {
  test('round-trips every condition and action, with the type of its value', () => {
    expect(JSON.parse(normalizeRulesText(stored))).toEqual(JSON.parse(stored));
    expect(draftsOf(stored)[0]?.fields[0]?.value).toBe('"5"');
    expect(draftsOf(stored)[0]?.actions[2]?.value).toBe('auto');
    expect(normalizeRulesText('')).toBe('');
  });

  test('reports the position of each invalid field', () => {
    const rule = {
      ...newRule(' '),
      actions: [
        { ...newAction, path: 'model', value: 'x' },
        { ...newAction, do: 'status' as const },
      ],
    };
    expect(Object.fromEntries(ruleErrors(serializeDrafts([rule])))).toEqual({
      '0.name': 'Enter a name',
      '0.then.0.path': 'Rules cannot change this field',
      '0.then.1.status': 'Enter a status from 400 to 599',
    });
    expect(ruleErrors('').size).toBe(0);
  });

  test('keeps an entry within the list when it is moved', () => {
    expect(moveEntry(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
    const list = ['a', 'b'];
    expect(moveEntry(list, 0, -1)).toBe(list);
    expect(moveEntry(list, 1, 1)).toBe(list);
  });
});

test('summarizes a rule in one sentence', () => {
  const draft = draftsOf(stored)[0];
  const rule = draft && parseDraft(draft);
  const translation = {
    t: (text: string, values: Readonly<Record<string, string | number>> = {}) => fillTemplate(text, values),
    label: (text: string) => text,
    language: 'en' as const,
  };
  expect(rule && ruleSummary(rule, translation)).toBe(
    'If the model is qwen3-* or gpt-4o, the client API is OpenAI, the endpoint is Conversation, a is "5", user matches team-*, b is present, and c.0 is missing: ' +
      'set metadata to {"team":"search","on":true}, set temperature to 0.2 if it is missing, set tier to "auto", remove user, rename seed to random_seed, ' +
      "set the header x-team, remove the header anthropic-beta, pass on the client's header x-trace, do not retry status 529, and reject the request: “Not here”.",
  );
});

test('shows common lines as unchanged and ignores trailing commas in a diff', () => {
  expect(lineDiff('{\n"a": 1\n}', '{\n"a": 1,\n"b": 2\n}').map(({ kind }) => kind)).toEqual([
    'same',
    'same',
    'added',
    'same',
  ]);
  const marks = lineDiff('a\nb\nc', 'a\nx\nc\nd').map(({ kind, text }) => `${kind} ${text}`);
  expect(marks).toEqual(['same a', 'removed b', 'added x', 'same c', 'added d']);
});
