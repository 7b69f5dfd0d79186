import { createHmac } from 'node:crypto';
import type { JsonObject } from '../provider.ts';

/** A JSON web token signed with a shared secret; `header` contains additional fields for the upstream. */
export function hs256Token(header: JsonObject, claims: JsonObject, secret: string): string {
  const signed = [{ alg: 'HS256', ...header }, claims].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');
