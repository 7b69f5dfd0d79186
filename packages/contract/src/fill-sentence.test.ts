import { describe, expect, test } from 'vitest';
import { fillSentence } from './fill-sentence.ts';

describe('filling a sentence', () => {
  test('values take the places of their names, every time they appear', () => {
    expect(fillSentence('{done} of {all}, {done} done', { done: 3, all: '7' })).toBe('3 of 7, 3 done');
  });

  test('a value is put in as it is: neither markup, dollar signs nor braces in it mean anything', () => {
    expect(fillSentence('Delete {name}?', { name: '<b>$& {name}</b>' })).toBe('Delete <b>$& {name}</b>?');
  });

  test('zero and the empty text are values; a name without one stays', () => {
    expect(fillSentence('{count}|{text}|{other}', { count: 0, text: '' })).toBe('0||{other}');
  });
});
