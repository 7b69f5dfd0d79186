import { expect, it } from 'vitest';
import { frameOrigins } from './console-files.ts';

it('[A63.7] returns the origins of URLs, and none for other texts', () => {
  const texts = [
    ' https://Chat.example/app?x=1#y ',
    'http://127.0.0.1:3000/',
    '# Welcome\nhttps://a.example',
    'https://a.example/page and more text',
    'https://[',
    '',
    'javascript:1',
  ];
  expect(frameOrigins(texts, 'gateway.example')).toEqual(['https://chat.example', 'http://127.0.0.1:3000']);
});

it('[A63.7] returns each origin once', () => {
  expect(frameOrigins(['https://a.example/1', 'https://a.example/2'], 'gateway.example')).toEqual([
    'https://a.example',
  ]);
});

it.each([
  'https://gateway.example/about',
  'http://GATEWAY.example/v1/models',
  'https://gateway.example:443/',
  'https://*/',
  'https://*.example/',
  "https://a.example;script-src/'x'",
  'https://[::1]/',
])('[A63.7] omits %s: the console’s own host, or a host with special characters', (text) => {
  expect(frameOrigins([text], 'Gateway.example')).toEqual([]);
});
