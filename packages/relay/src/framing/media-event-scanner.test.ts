import { expect, test } from 'vitest';
import { endpointKinds, responseScanOf } from '../request/endpoint-kinds.ts';
import { MediaEventScanner } from './media-event-scanner.ts';

const { media } = responseScanOf(endpointKinds.images);

const event = (name: string, body: object) => `event: ${name}\ndata: ${JSON.stringify(body)}\n\n`;
const drawn = event('image_generation.partial_image', { type: 'image_generation.partial_image', b64_json: 'aGFsZg==' });
const blocked = {
  type: 'error',
  error: { type: 'image_generation_user_error', code: 'moderation_blocked', message: 'Blöcked', param: null },
};

function scan(text: string, size = Number.POSITIVE_INFINITY): MediaEventScanner {
  const scanner = new MediaEventScanner(media.pictures);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
  scanner.finish();
  return scanner;
}

test.each([1, 7, Number.POSITIVE_INFINITY])(
  'finds an error with and without a preceding image in chunks of %s bytes',
  (size) => {
    const problem = { status: 400, message: 'Blöcked', code: 'moderation_blocked' };
    expect(scan(event('error', blocked), size)).toMatchObject({ hasContent: false, problem });
    expect(scan(drawn + event('error', blocked), size)).toMatchObject({ hasContent: true, problem });
    expect(scan(drawn, size)).toMatchObject({ hasContent: true, problem: undefined });
  },
);

test.each([
  ['an image by URL', 'data: {"url": "https://x.test/1.png"}\r\n\r\n', { hasContent: true, problem: undefined }],
  ['an error without a name', 'data: {"error":{"message":"busy","code":"503"}}\n\n', { problem: { status: 503 } }],
  ['an error in plain text', 'event: error\ndata: busy\n\n', { problem: { status: 502 } }],
  ['an error without an envelope', 'data: {"type":"error","message":"x"}\n\n', { problem: { status: 502 } }],
  ['no error', 'data: {"error":null,"type":"x"}\n\n', { problem: undefined, hasContent: false }],
  ['text about an image', 'data: {"error":{"message":"\\"url\\": \\"x\\""}}\n\n', { hasContent: false }],
  ['an unterminated error', 'event: error\ndata: {"message":"cut"}', { problem: { message: 'cut' } }],
])('classifies an event stream with %s', (_, text, found) => {
  expect(scan(text)).toMatchObject(found);
});

test('recognizes an image of several megabytes by its first bytes and buffers little of it', () => {
  const scanner = new MediaEventScanner(media.pictures);
  scanner.push(Buffer.from(': wait\n\nevent: image_generation.completed\n'));
  expect(scanner.isUndecided).toBe(true);
  scanner.push(Buffer.from('data: {"b64_json":"'));
  expect(scanner.isUndecided).toBe(true);
  scanner.push(Buffer.alloc(20_000, 'x'));
  expect(scanner).toMatchObject({ isUndecided: false, hasContent: true });
});

test('stops buffering the start of a stream after too many comments', () => {
  const scanner = new MediaEventScanner(media.pictures);
  scanner.push(Buffer.from(': wait\n'.repeat(10_000)));
  expect(scanner.isUndecided).toBe(false);
});
