import { expect, test } from 'vitest';
import { sigV4Headers } from './sigv4.ts';

const credentials = {
  accessKey: 'AKIDEXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
};
const day = Date.UTC(2015, 7, 30, 12, 36);
const home = 'https://example.amazonaws.com';

// Names from Amazon's published test suite.
const published = [
  {
    name: 'get-vanilla',
    request: { method: 'GET', url: `${home}/`, headers: {}, body: '' },
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  {
    name: 'get-vanilla-query-order-key-case',
    request: { method: 'GET', url: `${home}/?Param2=value2&Param1=value1`, headers: {}, body: '' },
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    name: 'post-vanilla',
    request: { method: 'POST', url: `${home}/`, headers: {}, body: '' },
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-x-www-form-urlencoded',
    request: {
      method: 'POST',
      url: `${home}/`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Param1=value1',
    },
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
];

test.each(published)('a signature equals the published one: $name', ({ request, signature }) => {
  const { headers } = request;
  const signed = sigV4Headers(request, credentials, day);
  const names = [...Object.keys(headers), 'host', 'x-amz-date'].join(';');
  expect(signed).toEqual({
    ...headers,
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      `SignedHeaders=${names}, Signature=${signature}`,
  });
});

// Computed with S3SigV4Auth of botocore 1.44.3.
test.each([
  [
    'headgate/logs/dt%3D2026-11-18/hour%3D09/000000000001.ndjson.gz',
    'dac1d163493f03905595fee4b9d9fa69fc265da609f5e8e56a7bc4accb86d679',
  ],
  ['a.b_c-d/x.gz', 'fd47a7cafe53cc191439b163b7e370a6fe3d4132f4b9c945d52082907cdbed09'],
])('an S3 upload of %s has the same signature as with botocore', (key, signature) => {
  const signed = sigV4Headers(
    {
      method: 'PUT',
      url: `https://s3.eu-central-1.amazonaws.com/logs-bucket/${key}`,
      headers: {
        'content-type': 'application/gzip',
        'x-amz-content-sha256': '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      },
      body: 'hello',
    },
    { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-central-1', service: 's3' },
    Date.UTC(2026, 10, 18, 9),
  );
  expect(signed['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261118/eu-central-1/s3/aws4_request, ' +
      `SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=${signature}`,
  );
});

test('sends and signs the session token of a temporary key', () => {
  const signed = sigV4Headers(
    { method: 'GET', url: `${home}/`, headers: {}, body: '' },
    { ...credentials, sessionToken: 'a-token' },
    day,
  );
  expect(signed['x-amz-security-token']).toBe('a-token');
  expect(signed['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,');
});

test('encodes a path twice for the signature if it is encoded on the wire', () => {
  const signed = sigV4Headers(
    {
      method: 'POST',
      url: 'https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke',
      headers: { 'content-type': 'application/json' },
      body: '{"anthropic_version":"bedrock-2023-05-31","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}],"max_tokens":16}',
    },
    { ...credentials, service: 'bedrock' },
    Date.UTC(2025, 0, 1),
  );
  expect(signed['authorization']).toContain('3253f85ff316fe19ae201637b249c5e2aa698e3e70da79a67df32fb57ea05e13');
});
