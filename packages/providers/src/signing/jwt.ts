import { createHmac, type KeyLike, sign } from 'node:crypto';
import type { JsonObject } from '../provider.ts';

/** A JSON web token signed with an RSA key; `header` contains additional fields for the upstream. */
export function rs256Token(header: JsonObject, claims: JsonObject, privateKey: KeyLike): string {
  const signed = [{ alg: 'RS256', ...header }, claims].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${signed}.${rs256Signature(signed, privateKey)}`;
}

/** Separate function for the test with the RFC's example, whose claims contain line breaks. */
export const rs256Signature = (text: string, privateKey: KeyLike) =>
  sign('sha256', Buffer.from(text), privateKey).toString('base64url');

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** A JSON web token signed with a shared secret; `header` contains additional fields for the upstream. */
export function hs256Token(header: JsonObject, claims: JsonObject, secret: string): string {
  const signed = [{ alg: 'HS256', ...header }, claims].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
