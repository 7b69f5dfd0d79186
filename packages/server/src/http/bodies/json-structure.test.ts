import { describe, expect, test } from 'vitest';
import { JsonStructure } from './json-structure.ts';

/** Pushes the JSON in chunks of this size; returns the error message, if any. */
function errorMessageOf(text: string | Buffer, chunkSize = 65_536): string | undefined {
  const bytes = Buffer.from(text);
  const structure = new JsonStructure();
  try {
    for (let at = 0; at < bytes.length; at += chunkSize) structure.push(bytes.subarray(at, at + chunkSize));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe.each([1, 2, 3, 7, 64, 65, 4096])('[A24.5] in chunks of %d bytes', (size) => {
  test.each([
    ['quotes', '"\\"'],
    ['escaped backslashes', '"\\\\"'],
    ['an escaped backslash before a quote', '"\\\\\\"'],
    ['many backslashes', `"${'\\\\'.repeat(101)}"`],
    ['a long run of letters', `"${'x'.repeat(200)}"`],
    ['many escapes', `"${'x'.repeat(66)}\\"${'y'.repeat(66)}\\\\\\"${'\\n'.repeat(70)}"`],
    ['multi-byte characters', `"${'水é'.repeat(60)}"`],
  ])('does not count brackets inside a string with %s', (_, text) => {
    const string = `${text.slice(0, -1)}${'[{,:'.repeat(300)}"`;
    // The string may end with an escaped quote, in which case the following text is still part of it.
    expect(errorMessageOf(`[${string}]`, size)).toBeUndefined();
    expect(errorMessageOf(`[${string},${deep(199)}]`, size)).toBeUndefined();
    expect(errorMessageOf(`[${string},${deep(200)}]`, size)).toBe('The request body is nested too deeply');
  });
});

test.each([
  ['containers', `[${'{},'.repeat(50_000)}0]`],
  ['keys', `{${Array.from({ length: 30_001 }, (_, index) => `"k${index}":0`).join()}}`],
  ['strings', `[${'"",'.repeat(60_000)}""]`],
  ['array items', `[${'0,'.repeat(400_001)}0]`],
])('[A24.5] rejects too many %s', (_, text) => {
  expect(errorMessageOf(text)).toBe('The request body has too many elements');
});

test('accepts large valid bodies: embedding inputs, long texts, images', () => {
  expect(errorMessageOf(`{"input":[${'1234,'.repeat(300_000)}5]}`)).toBeUndefined();
  expect(errorMessageOf(JSON.stringify({ content: '"[{\\'.repeat(1_000_000) }))).toBeUndefined();
  expect(errorMessageOf(`["${'A'.repeat(5_000_000)}"]`)).toBeUndefined();
});

test.each([
  ['few elements', 1000, false],
  ['thousands of elements', 3000, true],
])('[A24.13] a body with %s (%i) is queued for parsing: %s', (_, parts, isHeavy) => {
  const structure = new JsonStructure();
  structure.push(Buffer.from(JSON.stringify(Array.from({ length: parts }, () => ({})))));
  expect(structure.isHeavy).toBe(isHeavy);
});

test.each([
  ['[1e20,-2E+3,0.5e-7]', 3],
  ['[true,false,null,10]', 0],
  ['["1e20"]', 0],
])('[A5.5] counts numbers with an exponent: %s contains %d', (text, exponents) => {
  const structure = new JsonStructure();
  structure.push(Buffer.from(text));
  expect(structure.exponents).toBe(exponents);
});
