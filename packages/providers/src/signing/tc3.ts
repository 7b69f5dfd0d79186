import { createHash, createHmac } from 'node:crypto';

/** Signed parts of a request to Tencent Cloud. */
export interface Tc3Request {
  readonly secretId: string;
  readonly secretKey: string;
  readonly service: string;
  readonly host: string;
  readonly action: string;
  /** Content type exactly as sent. */
  readonly contentType: string;
  readonly body: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

const signedHeaders = 'content-type;host;x-tc-action';

/** Authorization header of TC3-HMAC-SHA256 for a POST to the root. */
export function tc3Authorization(request: Tc3Request): string {
  const { secretId, secretKey, service, timestamp } = request;
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const text = ['TC3-HMAC-SHA256', timestamp, scope, sha256(canonicalRequest(request))].join('\n');
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(hmac, `TC3${secretKey}`);
  const signature = hmac(key, text).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

/** Canonical request; separate function for the test with the published examples. */
export function canonicalRequest({ action, body, contentType, host }: Tc3Request): string {
  const headers = `content-type:${contentType}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`;
  return ['POST', '/', '', headers, signedHeaders, sha256(body)].join('\n');
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
