import { expect, test } from 'vitest';
import { slowReason } from './linear-pattern.ts';

const slowReasonOf = ({ source, flags }: RegExp) => slowReason(source, flags);

test.each([
  /\s+$/,
  /=+$/,
  /\d+x/g,
  /(a+)+/,
  /^(a+)+$/,
  /^(?:a|ab)*c/,
  /^(?:a|a)*b/,
  /^(?:a?b?)*c/,
  /^(?:a{0,3}a)*b/,
  /^\w+\d*!/,
  /^data:([^;,]+)[^,]*;base64,(.*)$/s,
  /^https?:\/\/[^\s/?#]+[^\s?#]*$/,
  /^.*a.*b/,
  /-(.+)$/,
  /gemini-(?:[a-z]+-)*?(\d+)/,
  /^\.+|\.+$/g,
  /^a+b$/m,
  /x(?=[a-z]*!)/,
  /^(a)\1+$/,
  /\p{L}+!/u,
  /key=.{2000,}!/,
])('[A27.1] %s may take more than linear time', (pattern) => {
  expect(slowReasonOf(pattern)).toMatch(/\w/);
});

test.each([
  /^\S+$/,
  /^\s*zh\b/i,
  /\{(\w+)\}/g,
  /\s+/g,
  /;.*/,
  /^((?:qwen|command)-.*)-internet$/,
  /\b(sk|key)-[A-Za-z0-9_-]{8,}/g,
  /^([^|{]*)\|([^|{]*)\|(.*)$/s,
  /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/,
  /claude-(?:[a-z]+-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/,
  /\bbedrock(?:-runtime)?(?:-fips)?\.([a-z0-9-]+)\./,
  /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i,
  /^\s*-?\d+(\.\d+)?\s*$/,
  /<\|[a-z_]+\|>/g,
  /"(?:[^"\\\n]|\\.)*"/y,
  /^[a-z]{2}[a-z0-9-]{1,40}-\d{1,3}$/,
  /[\u{1f600}\x41\cA]+/u,
])('%s takes linear time', (pattern) => {
  expect(slowReasonOf(pattern)).toBeUndefined();
});
