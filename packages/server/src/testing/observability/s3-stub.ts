import { createHash, createHmac } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type ReceivedRequest, StubUpstream } from '@headgate/testkit';

export const s3Credentials = { access_key: 'AKIDEXAMPLE', secret_key: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-central-1' };

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Signature of a request by the rules of S3, which signs the path as sent. */
function signatureOf({ method, path, headers, bytes }: ReceivedRequest): string {
  const { authorization = '' } = headers;
  const [, scope = '', names = ''] = /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+),/.exec(authorization) ?? [];
  const { pathname } = new URL(path, 'http://s3');
  const canonical = [
    method,
    pathname,
    '',
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    sha256(bytes),
  ].join('\n');
  const [date = '', region = '', service = ''] = scope.split('/');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${s3Credentials.secret_key}`);
  return hmac(key, text).toString('hex');
}

/** Reason why S3 would reject the request; undefined if it would not. */
function faultOf(request: ReceivedRequest): string | undefined {
  const { method, path, headers, bytes } = request;
  const { authorization = '' } = headers;
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  // Some servers decode and encode the path before they sign it, so only a fully encoded path has one signature.
  if (path.split('/').some((part) => encodeURIComponent(decodeURIComponent(part)) !== part)) return 'InvalidURI';
  if (method !== 'PUT' || !authorization.startsWith('AWS4-HMAC-SHA256 ')) return 'AccessDenied';
  if (!authorization.includes(`Credential=${s3Credentials.access_key}/`)) return 'InvalidAccessKeyId';
  if (!authorization.includes(`/${s3Credentials.region}/s3/aws4_request`)) return 'AuthorizationHeaderMalformed';
  const mustSign = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  if (!mustSign.every((name) => signed.includes(name))) return 'AccessDenied';
  if (headers['x-amz-content-sha256'] !== sha256(bytes)) return 'XAmzContentSHA256Mismatch';
  return authorization.endsWith(`Signature=${signatureOf(request)}`) ? undefined : 'SignatureDoesNotMatch';
}

/** Strict stub of S3 storage: verifies signatures and stores objects by path. */
export async function startS3() {
  const objects = new Map<string, Buffer>();
  const faults: string[] = [];
  /** Uploads that are stored although their response is an error. */
  const lost = { count: 0 };
  const stub = await StubUpstream.start((response, request) => {
    const fault = faultOf(request);
    if (fault !== undefined) {
      faults.push(fault);
      response.writeHead(403).end(`<Error><Code>${fault}</Code></Error>`);
      return;
    }
    objects.set(decodeURIComponent(request.path), request.bytes);
    if (lost.count > 0) {
      lost.count -= 1;
      response.destroy();
      return;
    }
    response.writeHead(200).end();
  });
  /** Ids of the stored logs, by object. */
  const stored = () => [...objects].map(([path, bytes]) => ({ path, rows: linesOf(gunzipSync(bytes).toString()) }));
  return { url: stub.url, received: stub.received, close: () => stub.close(), faults, lost, stored };
}

export const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly id: number; readonly model_name: string; readonly detail: string });
