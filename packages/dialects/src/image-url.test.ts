import { expect, test } from 'vitest';
import { readDataUrl } from './data-url.ts';

test.each([
  ['data:image/png;base64,AAAA', 'image/png', 'AAAA'],
  ['DATA:Image/SVG+xml;charset=utf-8;BASE64,AAAA', 'image/svg+xml', 'AAAA'],
  ['data:text/plain;base64,', 'text/plain', ''],
  ['data:application/vnd.ms-excel;name=a.xls;base64,AA,AA', 'application/vnd.ms-excel', 'AA,AA'],
])('reads %s as media type %s', (url, mediaType, data) => {
  expect(readDataUrl(url)).toEqual({ mediaType, data });
});

test.each([
  '',
  'data:',
  'data:image/png,AAAA',
  'data:image/png;base64',
  'data:;base64,AAAA',
  'data:base64,AAAA',
  'data:image/png\r\nx-key: 1;base64,AAAA',
  'https://a.example/b.png',
  `data:image/png;${'a'.repeat(300)};base64,AAAA`,
])('rejects the data URL %j', (url) => {
  expect(readDataUrl(url)).toBeUndefined();
});
