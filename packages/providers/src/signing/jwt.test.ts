import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { rfc7515Key } from '../testing/rfc7515-key.ts';
import { hs256Token, rs256Signature, rs256Token } from './jwt.ts';

test('a signature equals the example in RFC 7515, appendix A.2', () => {
  const signed =
    'eyJhbGciOiJSUzI1NiJ9.' +
    'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
  expect(rs256Signature(signed, rfc7515Key)).toBe(
    'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t' +
      '1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12j' +
      'zDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQ' +
      'Ge77Rw',
  );
});

test('a token contains its header and claims and a valid signature', () => {
  const token = rs256Token({ typ: 'JWT', kid: 'k1' }, { iss: 'me', exp: 5 }, rfc7515Key);
  const [header = '', claims = '', signature = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({ iss: 'me', exp: 5 });
  const signed = Buffer.from(`${header}.${claims}`);
  const isProven = verify('sha256', signed, createPublicKey(rfc7515Key), Buffer.from(signature, 'base64url'));
  expect(isProven).toBe(true);
});

test('a token equals the reference value', () => {
  const claims = { api_key: 'kid', exp: 1_735_776_000_000, timestamp: 1_735_689_600_000 };
  expect(hs256Token({ sign_type: 'SIGN' }, claims, 'ksecret')).toBe(
    'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.' +
      'eyJhcGlfa2V5Ijoia2lkIiwiZXhwIjoxNzM1Nzc2MDAwMDAwLCJ0aW1lc3RhbXAiOjE3MzU2ODk2MDAwMDB9.' +
      '6H7PegxhoOROr-4H8GhPt-vtOOM47OmuQ0n4elRt2Lw',
  );
});

test("a token equals jwt.io's example", () => {
  const claims = { sub: '1234567890', name: 'John Doe', iat: 1_516_239_022 };
  expect(hs256Token({ typ: 'JWT' }, claims, 'your-256-bit-secret')).toBe(
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.' +
      'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  );
});
