import { expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThrough } from './pass-through.ts';

test("forwards client headers, and the channel's headers take precedence", () => {
  const clientHeaders = { 'openai-beta': 'a', authorization: 'Bearer mine' };
  expect(passThrough('/v1/x').send({ ...testUpstream, clientHeaders }).headers).toEqual({
    'openai-beta': 'a',
    authorization: 'Bearer test-key',
  });
});
