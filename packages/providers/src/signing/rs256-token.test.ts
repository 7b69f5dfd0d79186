import { createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { publishedKey } from '../testing/published-key.ts';
import { rs256Signature, rs256Token } from './rs256-token.ts';

test('a signature equals the example in RFC 7515, appendix A.2', () => {
  const signed =
    'eyJhbGciOiJSUzI1NiJ9.' +
    'eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
  expect(rs256Signature(signed, publishedKey)).toBe(
    'cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t' +
      '1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12j' +
      'zDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQ' +
      'Ge77Rw',
  );
});

test('a token contains its header and claims and a valid signature', () => {
  const token = rs256Token({ typ: 'JWT', kid: 'k1' }, { iss: 'me', exp: 5 }, publishedKey);
  const [header = '', claims = '', signature = ''] = token.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({ iss: 'me', exp: 5 });
  const signed = Buffer.from(`${header}.${claims}`);
  const isProven = verify('sha256', signed, createPublicKey(publishedKey), Buffer.from(signature, 'base64url'));
  expect(isProven).toBe(true);
});
