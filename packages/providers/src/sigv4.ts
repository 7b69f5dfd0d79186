import { createHash, createHmac } from 'node:crypto';

/** Signed parts of a request to Amazon. */
export interface SigV4Request {
  readonly method: string;
  /** Exactly as sent, with its path encoded once. */
  readonly url: string;
  /** Headers that are sent and must be signed, without host and date. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface AwsCredentials {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Session token of a temporary key. */
  readonly sessionToken?: string;
  readonly region: string;
  readonly service: string;
}

/** Headers to send: the given ones, the date, and the signature. */
export function sigV4Headers(request: SigV4Request, credentials: AwsCredentials, now: number): Record<string, string> {
  const { accessKey, secretKey, sessionToken, region, service } = credentials;
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const date = time.slice(0, 8);
  const sent = {
    ...request.headers,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const scope = `${date}/${region}/${service}/aws4_request`;
  const canonical = canonicalRequest(request, sent, service);
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.text)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  const signature = hmac(key, text).toString('hex');
  const signedBy = `Credential=${accessKey}/${scope}, SignedHeaders=${canonical.signedHeaders}`;
  return { ...sent, authorization: `AWS4-HMAC-SHA256 ${signedBy}, Signature=${signature}` };
}

function canonicalRequest(
  { method, url, body }: SigV4Request,
  sent: Readonly<Record<string, string>>,
  service: string,
) {
  const { host, pathname, searchParams } = new URL(url);
  const headers = Object.entries({ ...sent, host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(byName);
  const signedHeaders = headers.map(([name]) => name).join(';');
  const text = [
    method,
    // All services except S3 encode the path a second time, so %3A on the wire is %253A here.
    service === 's3' ? pathname : pathname.split('/').map(encoded).join('/'),
    [...searchParams]
      .map(([name, value]) => [encoded(name), encoded(value)] as const)
      .sort(byName)
      .map((pair) => pair.join('='))
      .join('&'),
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n');
  return { text, signedHeaders };
}

type Pair = readonly [string, string];

const byName = ([a, x]: Pair, [b, y]: Pair) => compare(a, b) || compare(x, y);
const compare = (a: string, b: string) => Number(a > b) - Number(a < b);

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
