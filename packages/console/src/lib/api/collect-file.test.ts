import { expect, test } from 'vitest';
import { readWholeFile } from './collect-file.ts';

const encoder = new TextEncoder();

/** A body in chunks of a few bytes, so that every line break and quote is at the edge of a chunk once. */
function fileOf(text: string, size: number, { name = 'a.csv', total = 2 } = {}) {
  const bytes = encoder.encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
  return { body, name, total };
}

const whole = 'Name,Words\r\na,"two\nlines, and ""quotes"""\r\nb,plain\r\nCovered,2 of 2 rows\r\n';
const cut = 'Name,Words\r\na,"two\nlines"\r\nIncomplete,1 of 2 rows\r\n';

test.each([1, 2, 3, 7, 1000])('collects a file in chunks of %i bytes unchanged, and counts its rows', async (size) => {
  const counts: number[] = [];
  const { content, rows, isWhole } = await readWholeFile(fileOf(whole, size), (done) => counts.push(done));
  expect([await content.text(), rows, isWhole]).toEqual([whole, 2, true]);
  expect(counts.at(-1)).toBe(2);
});

test.each([
  [cut, 'a.csv', 2],
  ['Name,Words\r\na,b\r\nb,c\r\n', 'a.csv', 2],
  ['Name,Words\r\n', 'a.csv', 0],
  ['{"id":1}\n{"id":2}\n', 'a.jsonl', 2],
  ['{"id":1}\n{"complete":false,"rows":1,"total":2}\n', 'a.jsonl', 2],
])('[A32.2] rejects %j as an incomplete file', async (text, name, total) => {
  expect(await readWholeFile(fileOf(text, 5, { name, total }), () => undefined)).toMatchObject({ isWhole: false });
});

test('accepts a JSONL file that ends with its summary line, and ignores quotes in it', async () => {
  const text = '{"id":"\\""}\n{"id":2}\n{"complete":true,"rows":2}\n';
  const { isWhole, rows } = await readWholeFile(fileOf(text, 4, { name: 'a.jsonl' }), () => undefined);
  expect([isWhole, rows]).toEqual([true, 2]);
});
