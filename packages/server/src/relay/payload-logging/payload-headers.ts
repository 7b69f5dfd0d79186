import type { IncomingHttpHeaders } from 'node:http';
import { isKeyHeader, isPersonalHeader, isSecretHeader } from '@headgate/contract';

const maxValueLength = 1000;
const maxHeaders = 100;

const isSecret = (name: string): boolean => [isKeyHeader, isPersonalHeader, isSecretHeader].some((is) => is(name));

/** True for API tokens that a client sends in a header of any name. */
const hasApiToken = (text: string): boolean =>
  text
    .split('sk-')
    .slice(1)
    .some((rest) => /^[A-Za-z0-9]{16}/.test(rest));

/** Headers of a request that are stored with its payload; never credentials, accounts or client addresses. */
export function selectStorableHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const stored = Object.entries(headers).flatMap(([name, value]) => {
    const text = String(value ?? '').slice(0, maxValueLength);
    return value === undefined || isSecret(name) || hasApiToken(text) ? [] : [[name, text]];
  });
  return Object.fromEntries(stored.slice(0, maxHeaders));
}
