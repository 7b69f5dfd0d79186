import { expect, test } from 'vitest';
import { endpointKinds, geminiEmbeddings } from './endpoint-kinds.ts';
import { stringify } from './long-strings.ts';
import { readLargeRequest } from './read-large-request.ts';

const kind = endpointKinds.chat;

/** Finds the strings of a text with the simplest possible method. */
function rangesIn(bytes: Buffer, longerThan: number) {
  return [...bytes.toString('latin1').matchAll(/"(?:[^"\\]|\\.)*"/gs)]
    .map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
    .filter(({ start, end }) => end - start > longerThan);
}

const read = (text: string | Buffer, longerThan = 1000) => {
  const bytes = Buffer.from(text);
  return readLargeRequest(kind, { bytes, longStrings: rangesIn(bytes, longerThan) }, {});
};

const chat = (content: unknown, more: object = {}) =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }], ...more });

const about = 262_144;

test.each([
  ['a single letter', 'A', 3 * about],
  ['two-byte and three-byte characters', 'é水', about],
  ['four-byte characters', '😀', about / 2],
  ['quotes and backslashes', '\\"', about],
  ['backslashes', '\\', about * 2],
  ['control characters', '\u0001\n', about],
  ['lone surrogates', '\ud83d', about],
])('[A24.5] reads a long string of %s like the parser, regardless of where it is split', async (_, unit, times) => {
  for (const shift of ['', 'x', 'xx', 'xxx', 'xxxx', 'xxxxx']) {
    const text = chat([{ type: 'text', text: shift + unit.repeat(times) }]);
    expect((await read(text)).body).toEqual(JSON.parse(text));
  }
});

test('[A64.9] does not compare long strings of equal length with each other', async () => {
  const texts = Array.from({ length: 300 }, (_, index) => `${'A'.repeat(17_000)}${1000 + index}`);
  const text = chat(texts);
  const { body, bytes, longStrings } = await read(text);
  expect(body).toEqual(JSON.parse(text));
  expect(texts.filter((each) => longStrings?.get(each) !== undefined)).toHaveLength(4);
  expect(stringify({ ...body }, longStrings).toString()).toBe(bytes.toString());
});

test('[A64.9] rejects requests with many long names and ids', async () => {
  const calls = (count: number) =>
    chat(Array.from({ length: count }, (_, index) => ({ id: `${'A'.repeat(17_000)}${1000 + index}` })));
  await expect(read(calls(33))).rejects.toMatchObject({ status: 400, message: 'id is too long' });
  expect((await read(calls(32))).body).toEqual(JSON.parse(calls(32)));
  const names = Array.from({ length: 33 }, (_, index) => `${'A'.repeat(17_000)}${1000 + index}`);
  await expect(read(chat('hi', { allowed_function_names: names }))).rejects.toMatchObject({ status: 400 });
});

test('does not split escape sequences of any length', async () => {
  for (const escaped of ['\\u6c34', '\\ud83d\\ude00', '\\/', 'A\\u0041', '\\\\u0041']) {
    for (const shift of ['', 'x', 'xx', 'xxx', 'xxxx', 'xxxxx', 'xxxxxx']) {
      const text = `{"model":"gpt-4o","messages":["${shift}${escaped.repeat(60_000)}"]}`;
      expect((await read(text)).body).toEqual(JSON.parse(text));
    }
  }
});

test('restores several long strings at their positions, including equal ones', async () => {
  const [one, other] = ['1'.repeat(2000), '2'.repeat(3000)];
  const text = chat([one, { deep: [other, one, 'short'] }, 7, null], { user: other });
  expect((await read(text)).body).toEqual(JSON.parse(text));
});

test('rejects invalid JSON, inside and outside of long strings', async () => {
  const long = 'x'.repeat(5000);
  for (const wrong of ['\n', '\\x', '\\u12']) {
    await expect(read(`{"model":"gpt-4o","messages":["${long}${wrong}${long}"]}`)).rejects.toThrow('not valid JSON');
  }
  const bytes = Buffer.from(chat(`${long}|`));
  bytes[bytes.indexOf('|')] = 0xff;
  await expect(read(bytes)).rejects.toThrow('not valid JSON');
});

test('rejects a long key and a long model name', async () => {
  await expect(read(chat('hi', { ['n'.repeat(2000)]: 1 }))).rejects.toThrow('A name is too long');
  await expect(read(chat('hi', { model: 'n'.repeat(2000) }))).rejects.toThrow('model is invalid');
});

test('writes a long string with its original bytes', async () => {
  const image = 'A\\/'.repeat(1000);
  const text = `{"model":"gpt-4o","messages":["${image}","${image}"],"n":1}`;
  const { body, longStrings } = await read(text);
  expect(stringify(body, longStrings).toString()).toBe(text);
  expect(stringify({ ...body, model: 'other' }, longStrings).toString()).toBe(text.replace('gpt-4o', 'other'));
  expect(stringify({ a: 1 }, longStrings).toString()).toBe('{"a":1}');
});

test('[A24.13] yields to the event loop while a translated request is read and written', async () => {
  const long = `😀"${'水\\n'.repeat(2_000_000)}`;
  const parts = [{ text: 'x' }, { text: long }, { text: '\ud83d' }];
  const requests = [
    { content: { parts } },
    { content: { parts: [{ text: long }] } },
    { content: { parts: [parts[0]] } },
  ];
  const bytes = Buffer.from(JSON.stringify({ requests }));
  const raw = JSON.stringify(long);
  const longStrings = [bytes.indexOf(raw), bytes.lastIndexOf(raw)].map((start) => ({
    start,
    end: start + Buffer.byteLength(raw),
  }));
  let turns = 0;
  let isRead = false;
  const count = () => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const kind = geminiEmbeddings.batchEmbedContents;
  const request = await readLargeRequest(kind, { bytes, longStrings }, {}, { model: 'm' });
  isRead = true;
  expect(turns).toBeGreaterThan(bytes.length / (1024 * 1024));
  const input = [`x${long}\ud83d`, long, 'x'];
  expect(request.body).toEqual({ model: 'm', input, encoding_format: 'float' });
  expect(JSON.parse(request.bytes.toString())).toEqual(request.body);
});
