import { jsonBody } from '../json-body.ts';
import type { JsonObject, Upstream, UpstreamRequest } from '../provider.ts';
import { tc3Authorization } from '../signing/tc3.ts';

export const hasSecretKey = ({ key }: Upstream) => key.includes('|');

const contentType = 'application/json';

/** A signed Tencent Cloud request; the key is `AppId|SecretId|SecretKey`, where AppId is not used for signing. */
export function signedRequest(action: string, body: JsonObject, upstream: Upstream): UpstreamRequest {
  const [secretId = '', secretKey = ''] = upstream.key
    .split('|')
    .slice(-2)
    .map((part) => part.trim());
  const timestamp = Math.floor(upstream.now / 1000);
  const text = jsonBody(body, upstream);
  const host = new URL(upstream.baseUrl).host;
  return {
    method: 'POST',
    url: `${upstream.baseUrl}/`,
    headers: {
      'content-type': contentType,
      'x-tc-action': action,
      'x-tc-version': '2023-09-01',
      'x-tc-timestamp': String(timestamp),
      authorization: tc3Authorization({
        secretId,
        secretKey,
        service: 'hunyuan',
        host,
        action,
        contentType,
        body: text,
        timestamp,
      }),
    },
    body: text,
  };
}
