import { describe, expect, test } from 'vitest';
import { parseForm } from './read-form.ts';

const boundary = 'xBOUNDARYx';
const type = `multipart/form-data; boundary=${boundary}`;
const part = (name: string, value: string, more = '') =>
  `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const form = (...parts: readonly string[]) => Buffer.from(`${parts.join('')}--${boundary}--\r\n`);

const errorOf = (bytes: Buffer, contentType = type) =>
  parseForm(bytes, contentType).then(
    () => undefined,
    ({ status, code }: { status: number; code: string }) => ({ status, code }),
  );

describe('[A24.5] forms with many parts or fields', () => {
  const tooLarge = { status: 413, code: 'form_too_large' };

  test.each([
    ['100,000 parts', form(part('a[]', '1').repeat(100_000)), type],
    ['empty parts', form(`--${boundary}\r\n\r\n\r\n`.repeat(100_000)), type],
    ['a long name', form(part('%22'.repeat(100_000), '1')), type],
    ['a long file name', form(part('file', '1', `; filename="${'\\'.repeat(100_000)}"`)), type],
    ['a million headers', form(`--${boundary}\r\n${'a: b\r\n'.repeat(1_000_000)}\r\n1\r\n`), type],
    ['unterminated headers', Buffer.from(`--${boundary}\r\n${'a: b\r\n'.repeat(1_000_000)}`), type],
    ['a million fields', Buffer.from('a[]=1&'.repeat(1_000_000)), 'application/x-www-form-urlencoded'],
  ])('[A24.5] rejects a form with %s before parsing it', async (_, bytes, contentType) => {
    expect(await errorOf(bytes, contentType)).toEqual(tooLarge);
  });

  test.each([
    `multipart/form-data; boundary=other, ${type}`,
    `multipart/form-data; boundary="other"; boundary=${boundary}`,
    'multipart/form-data; boundary="a b"',
    `multipart/form-data; boundary=${'b'.repeat(71)}`,
    'multipart/form-data',
    'multipart/mixed; boundary=x',
    'nonsense',
    '',
  ])('rejects a content type that parsers may read as different boundaries: %s', async (contentType) => {
    expect(await errorOf(form(part('a[]', '1').repeat(100_000)), contentType)).toEqual({
      status: 400,
      code: 'invalid_form',
    });
  });
});

test('reads forms with images and with fields', async () => {
  const image = 'x'.repeat(5_000_000);
  const file = '; filename="a.png"\r\ncontent-type: image/png';
  const { fields } = await parseForm(form(part('model', 'dall-e-2'), part('image', image, file)), type);
  expect(fields).toMatchObject({ model: 'dall-e-2', image: { name: 'a.png', size: 5_000_000 } });
  for (const written of [
    `multipart/form-data; BOUNDARY="${boundary}"`,
    `Multipart/Form-Data;boundary=${boundary}; x=y`,
  ])
    expect((await parseForm(form(part('prompt', 'a cat')), written)).fields).toEqual({ prompt: 'a cat' });
  const fieldsOnly = await parseForm(
    Buffer.from('model=m&prompt=p'),
    'application/x-www-form-urlencoded; charset=utf-8',
  );
  expect(fieldsOnly.fields).toEqual({ model: 'm', prompt: 'p' });
});

describe('[A64.8] total size of part headers', () => {
  const tooLarge = { status: 413, code: 'form_too_large' };

  test.each([
    ['a thousand parts', form(part('a[]', '1').repeat(1000))],
    ['long headers', form(part('a[]', '1', `; filename="${'%22'.repeat(2600)}"`).repeat(20))],
    ['headers with many lines', form(`--${boundary}\r\n${'a: b\r\n'.repeat(1000)}\r\n1\r\n`.repeat(20))],
    ['megabytes of text', form(part('prompt', 'x'.repeat(5_000_000)))],
  ])('[A64.8] rejects a form with %s', async (_, bytes) => {
    expect(await errorOf(bytes)).toEqual(tooLarge);
  });

  test('yields to the event loop while a large form is searched', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    const file = '; filename="a.wav"\r\ncontent-type: audio/wav';
    await parseForm(form(part('file', 'x'.repeat(16 * 1024 * 1024), file), part('model', 'whisper-1')), type);
    isOver = true;
    expect(turns).toBeGreaterThan(10);
  });

  test('does not copy the bytes of a file', async () => {
    const file = '; filename="a.wav"\r\ncontent-type: audio/wav';
    const bytes = form(part('model', 'whisper-1'), part('file', 'sound', file));
    const { fields } = await parseForm(bytes, type);
    const audio = fields['file'] as { bytes: Buffer };
    expect(audio.bytes.buffer).toBe(bytes.buffer);
    expect(audio.bytes.toString()).toBe('sound');
  });
});

test.each([
  ['no fields', '', {}],
  ['an empty field', part('a', ''), { a: '' }],
  ['text before its parts', `x\r\n${part('a', '1')}`, { a: '1' }],
  ['a line end before its parts', `\r\n${part('a', '1')}`, { a: '1' }],
  ['line ends', part('a', '\r\n\r\n--x\r\n'), { a: '\r\n\r\n--x\r\n' }],
  ['text that looks like a delimiter', part('a', `x--${boundary}`), { a: `x--${boundary}` }],
  ['non-ASCII characters', part('é', '水'), { é: '水' }],
  ['a quote in a name', part('a%22b', '1'), { 'a"b': '1' }],
])('reads a form with %s', async (_, parts, fields) => {
  expect((await parseForm(form(parts), type)).fields).toEqual(fields);
});

test.each([
  ['no end', Buffer.from(part('a', '1'))],
  ['no name', form(`--${boundary}\r\ncontent-type: text/plain\r\n\r\n1\r\n`)],
  [
    'a delimiter within headers',
    form(`--${boundary}\r\nx: y\r\n--${boundary}\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n`),
  ],
  ['an unterminated delimiter', Buffer.from(`--${boundary}x\r\n\r\n\r\n\r\n--${boundary}--`)],
])('rejects a form with %s', async (_, bytes) => {
  expect(await errorOf(bytes)).toEqual({ status: 400, code: 'invalid_form' });
});
