import { expect, test } from 'vitest';
import { hs256Token } from './hs256-token.ts';

test('a token equals the golden vector', () => {
  const claims = { api_key: 'kid', exp: 1_735_776_000_000, timestamp: 1_735_689_600_000 };
  expect(hs256Token({ sign_type: 'SIGN' }, claims, 'ksecret')).toBe(
    'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.' +
      'eyJhcGlfa2V5Ijoia2lkIiwiZXhwIjoxNzM1Nzc2MDAwMDAwLCJ0aW1lc3RhbXAiOjE3MzU2ODk2MDAwMDB9.' +
      '6H7PegxhoOROr-4H8GhPt-vtOOM47OmuQ0n4elRt2Lw',
  );
});

test('a token equals the example of jwt.io', () => {
  const claims = { sub: '1234567890', name: 'John Doe', iat: 1_516_239_022 };
  expect(hs256Token({ typ: 'JWT' }, claims, 'your-256-bit-secret')).toBe(
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.' +
      'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  );
});
