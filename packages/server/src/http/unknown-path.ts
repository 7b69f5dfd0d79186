import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { languageOf } from './client.ts';
import { isDecodable } from './readable-url.ts';

type Dialect = (message: string) => object;

const ownApi: Dialect = (message) => ({ success: false, message });
const openai: Dialect = (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } });
const anthropic: Dialect = (message) => ({ type: 'error', error: { type: 'not_found_error', message } });
const google: Dialect = (message) => ({ error: { code: 404, message, status: 'NOT_FOUND' } });

/** Addresses that programs call, ours or not, and the shape in which they expect a no; the first that fits decides. */
const addresses: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/^\/api(\/|$)/, ownApi],
  [/^\/(v1\/messages|v1\/complete|anthropic|claude)(\/|$)/, anthropic],
  [/^\/(v\d+(alpha|beta)\d*|gemini|google|vertex)(\/|$)/, google],
  [/^\/v\d+\/models\/[^/]*:/, google],
  [/^\/(v\d+|dashboard|openai|azure|mcp|sse|engines|deployments|\.well-known)(\/|$)/, openai],
  [/^\/(models|embeddings|completions|responses|messages|chat\/completions)(\/|$)/, openai],
];

/** What clients of a dialect send with every request. */
const signs: readonly (readonly [header: string, dialect: Dialect])[] = [
  ['anthropic-version', anthropic],
  ['x-goog-api-key', google],
  ['x-api-key', openai],
  ['api-key', openai],
];

/** Undefined for what a person in a browser may have typed. */
function dialectOf({ url, headers }: FastifyRequest): Dialect | undefined {
  const path = plainPath(url);
  const byAddress = addresses.find(([pattern]) => pattern.test(path))?.[1];
  if (byAddress !== undefined && byAddress !== openai) return byAddress;
  const bySign = signs.find(([header]) => headers[header] !== undefined)?.[1];
  return bySign ?? byAddress ?? (hasKey(headers) ? openai : undefined);
}

/** The path without its query, decoded, with single slashes and in lower case: as somebody reads it at a glance. */
function plainPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return (isDecodable(path) ? decodeURIComponent(path) : path).replace(/\/{2,}/g, '/').toLowerCase();
}

/** Whether a program with a key asks. Not a browser, whose requests for pages a proxy may give a key of its own. */
const hasKey = ({ authorization = '', accept = '' }: FastifyRequest['headers']): boolean =>
  /^bearer /i.test(authorization) && !accept.includes('text/html');

/** Whether the console's page is an answer to this. */
export const isForPeople = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !request.url.startsWith('/assets/') &&
  dialectOf(request) === undefined;

/** Says that there is nothing at this address, in the shape that whoever asks expects. */
export function unknownPathReply(request: FastifyRequest): object {
  const path = request.url.split('?')[0] ?? '';
  const dialect = dialectOf(request) ?? ownApi;
  const refusal = new Refusal('unknownPath', { method: request.method, path });
  return dialect(refusal.messageIn(dialect === ownApi ? languageOf(request) : 'en'));
}
