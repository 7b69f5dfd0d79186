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
    expect(fillSentence('{count}|{text}|{other} rows', { count: 0, text: '' })).toBe('0||{other} rows');
  });

  test('of one thing it speaks in the singular', () => {
    const said = (count: number | string) =>
      fillSentence('{count} keys, {count} tries, {count} unsaved changes', { count });
    expect([said(1), said('1')]).toEqual(Array(2).fill('1 key, 1 try, 1 unsaved change'));
    expect(said(0)).toBe('0 keys, 0 tries, 0 unsaved changes');
    expect(said('11')).toBe('11 keys, 11 tries, 11 unsaved changes');
  });

  test('units, and what something called 1 does, stay as they are', () => {
    expect(fillSentence('{n} ms, {n} s, {n} was used', { n: 1 })).toBe('1 ms, 1 s, 1 was used');
    expect(fillSentence('Channel {channel} answers again', { channel: '1' })).toBe('Channel 1 answers again');
  });
});
