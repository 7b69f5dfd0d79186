import { createHmac } from 'node:crypto';
import type { Upstream } from '../provider.ts';

export const httpHost = 'https://spark-api-open.xf-yun.com';
const socketHost = 'wss://spark-api.xf-yun.com';

/** Signed URL of a WebSocket, valid for five minutes around its date. */
export function signedUrl({ baseUrl, key, now }: Upstream, path: string): string {
  const [, secret = '', apiKey = ''] = key.split('|').map((part) => part.trim());
  const base = baseUrl === httpHost ? socketHost : baseUrl.replace(/^http/, 'ws');
  const { host } = new URL(base);
  const date = new Date(now).toUTCString();
  const signature = createHmac('sha256', secret)
    .update(`host: ${host}\ndate: ${date}\nGET ${path} HTTP/1.1`)
    .digest('base64');
  const authorization = Buffer.from(
    `hmac username="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  ).toString('base64');
  const query = Object.entries({ host, date, authorization }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${base}${path}?${query.join('&')}`;
}
