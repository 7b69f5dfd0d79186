import { type KeyLike, sign } from 'node:crypto';
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
