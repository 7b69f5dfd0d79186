import { expect, test } from 'vitest';
import { readRequestTags } from './request-tags-in.ts';

test('reads the tags of a request, next to other members', () => {
  expect(readRequestTags('{"attempts":[],"request_tags":{"team":"search"}}')).toEqual({ team: 'search' });
  expect(readRequestTags('{"request_tags":{"team":"search"},"later":1}')).toEqual({ team: 'search' });
});

test.each([
  '',
  'plain text',
  '{"event":"token.created"}',
  '{"request_tags":{"team":"se',
  '{"values":{"request_tags":"x"}}',
  '{"request_tags":null}',
  '{"request_tags":["a"]}',
])('finds no tags in %j', (detail) => {
  expect(readRequestTags(detail)).toEqual({});
});

test('omits values that are not strings', () => {
  expect(readRequestTags('{"request_tags":{"team":"search","n":1,"o":{}}}')).toEqual({ team: 'search' });
});
