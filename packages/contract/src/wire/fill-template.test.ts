import { describe, expect, test } from 'vitest';
import { fillTemplate } from './fill-template.ts';

describe('fillTemplate', () => {
  test('replaces every occurrence of a placeholder', () => {
    expect(fillTemplate('{done} of {all}, {done} done', { done: 3, all: '7' })).toBe('3 of 7, 3 done');
  });

  test('inserts values literally, including markup, dollar signs and braces', () => {
    expect(fillTemplate('Delete {name}?', { name: '<b>$& {name}</b>' })).toBe('Delete <b>$& {name}</b>?');
  });

  test('inserts zero and empty strings, and keeps placeholders without a value', () => {
    expect(fillTemplate('{count}|{text}|{other} rows', { count: 0, text: '' })).toBe('0||{other} rows');
  });

  test('uses the singular for 1', () => {
    const sentence = (count: number | string) =>
      fillTemplate('{count} keys, {count} tries, {count} unsaved changes', { count });
    expect([sentence(1), sentence('1')]).toEqual(Array(2).fill('1 key, 1 try, 1 unsaved change'));
    expect(sentence(0)).toBe('0 keys, 0 tries, 0 unsaved changes');
    expect(sentence('11')).toBe('11 keys, 11 tries, 11 unsaved changes');
  });

  test('leaves units and verbs unchanged after a value of 1', () => {
    expect(fillTemplate('{n} ms, {n} s, {n} was used', { n: 1 })).toBe('1 ms, 1 s, 1 was used');
    expect(fillTemplate('Channel {channel} answers again', { channel: '1' })).toBe('Channel 1 answers again');
  });
});
