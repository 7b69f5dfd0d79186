import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalRequest, type Tc3Request, tc3Authorization } from './tc3.ts';

const request: Tc3Request = {
  secretId: 'AKIDEXAMPLE',
  secretKey: 'SECRETEXAMPLE',
  service: 'hunyuan',
  host: 'hunyuan.tencentcloudapi.com',
  action: 'ChatCompletions',
  contentType: 'application/json',
  body: '{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}',
  timestamp: 1_735_689_600,
};

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a signature equals the reference value', () => {
  expect(sha256(canonicalRequest(request))).toBe('9942add5d3d2484393f8cf16a110b9b1890ac9fd3dc42f9ee1ef7bbe941182a3');
  expect(tc3Authorization(request)).toBe(
    'TC3-HMAC-SHA256 Credential=AKIDEXAMPLE/2025-01-01/hunyuan/tc3_request, ' +
      'SignedHeaders=content-type;host;x-tc-action, ' +
      'Signature=62848fa2b7b6cc36c75b1e26157a163fe0fc67261f84c68405af15ff35c8c859',
  );
});

test("the canonical request equals Tencent's published example", () => {
  const published = canonicalRequest({
    ...request,
    service: 'cvm',
    host: 'cvm.tencentcloudapi.com',
    action: 'DescribeInstances',
    contentType: 'application/json; charset=utf-8',
    body: '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
    timestamp: 1_551_113_065,
  });
  expect(sha256(published)).toBe('7019a55be8395899b900fb5564e4200d984910f34794a27cb3fb7d10ff6a1e84');
});
