import { describe, expect, it } from 'vitest';
import { allowedContentType, octetStream } from './content-type.ts';

describe('allowedContentType', () => {
  it.each([
    ['bytes', 'audio/mpeg'],
    ['bytes', 'audio/L16; rate=24000; channels="1"'],
    ['bytes', 'text/event-stream; charset=utf-8'],
    ['text', 'application/json'],
    ['text', 'text/plain; charset=utf-8'],
    ['text', 'text/vtt'],
    ['proxy', 'application/json; charset=UTF-8'],
    ['proxy', 'image/png'],
    ['proxy', 'video/mp4'],
    ['proxy', 'application/x-ndjson'],
    ['proxy', 'application/ndjson'],
    ['proxy', 'application/vnd.amazon.eventstream'],
    ['proxy', 'audio/x-m4a'],
  ] as const)('[A63.4] allows a %s response with content type %s', (kind, type) => {
    expect(allowedContentType(kind, type)).toBe(type);
  });

  it.each([
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'image/svg+xml',
    'application/xhtml+xml',
    'application/xml',
    'text/xml',
    'text/javascript',
    'application/javascript',
    'text/css',
    'application/wasm',
    'application/pdf',
    'multipart/x-mixed-replace; boundary=x',
    'text/plain, text/html',
    'text/plain; a=b, text/html',
    'text/plain; a="b,text/html"',
    'text/plain;, text/html',
    'text/plain;\ttext/html',
    'text/plain\r\nx: y',
    'plain',
    '',
    `text/plain; a=${'b'.repeat(300)}`,
    ['application/json', 'text/html'],
  ])('[A63.4] replaces %j with application/octet-stream', (type) => {
    for (const kind of ['bytes', 'text', 'proxy'] as const) expect(allowedContentType(kind, type)).toBe(octetStream);
  });

  it('[A63.4] rejects a content type that belongs to another endpoint', () => {
    expect(allowedContentType('bytes', 'application/json')).toBe(octetStream);
    expect(allowedContentType('text', 'audio/mpeg')).toBe(octetStream);
  });

  it("uses the endpoint's default when the upstream sends no content type", () => {
    expect(allowedContentType('bytes', undefined)).toBe(octetStream);
    expect(allowedContentType('text', undefined, 'application/json')).toBe('application/json');
  });
});
