import { type KeyLike, sign } from 'node:crypto';
import type { JsonObject } from '../provider.ts';

/** A JSON web token signed with an RSA key; the header says whatever else the upstream wants in it. */
export function rs256Token(header: JsonObject, claims: JsonObject, privateKey: KeyLike): string {
  const signed = [{ alg: 'RS256', ...header }, claims].map((part) => base64url(JSON.stringify(part))).join('.');
  return `${signed}.${rs256Signature(signed, privateKey)}`;
}

/** Apart for the sake of the standard's example, whose claims are written with line breaks. */
export const rs256Signature = (text: string, privateKey: KeyLike) =>
  sign('sha256', Buffer.from(text), privateKey).toString('base64url');

const base64url = (text: string) => Buffer.from(text).toString('base64url');
