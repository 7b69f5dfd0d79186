import { refusalHeader } from '@headgate/contract';
import { anthropicMessages, type Dialect, gemini, ollamaChat, openaiChat } from '@headgate/dialects';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors/refusal.ts';
import { languageOf } from './client.ts';
import { isDecodable } from './readable-url.ts';

/** The shape of the console's API; all others are written by the dialect they belong to. */
const ownApi = 'own';
type Shape = Dialect | typeof ownApi;

/** Addresses that programs call, ours or not, and the shape in which they expect a no; the first that fits decides. */
const addresses: readonly (readonly [pattern: RegExp, shape: Shape])[] = [
  [/^\/api\/(pull|push|create|copy|delete|ps|blobs|embeddings)(\/|$)/, ollamaChat],
  [/^\/api(\/|$)/, ownApi],
  [/^\/(v1\/messages|v1\/complete|anthropic|claude)(\/|$)/, anthropicMessages],
  [/^\/(v\d+(alpha|beta)\d*|gemini|google|vertex)(\/|$)/, gemini],
  [/^\/v\d+\/models\/[^/]*:/, gemini],
  [/^\/(v\d+|dashboard|openai|azure|mcp|sse|engines|deployments|\.well-known)(\/|$)/, openaiChat],
  [/^\/(models|embeddings|completions|responses|messages|chat\/completions)(\/|$)/, openaiChat],
  // What new-api serves beside: pictures, songs and films by jobs, and its playground.
  [/^\/(mj|mj-\w+|fast|suno|kling|jimeng|pg)(\/|$)/, openaiChat],
];

/** What clients of a dialect send with every request. */
const signs: readonly (readonly [header: string, shape: Shape])[] = [
  ['anthropic-version', anthropicMessages],
  ['x-goog-api-key', gemini],
  ['x-api-key', openaiChat],
  ['api-key', openaiChat],
];

/** Undefined for what a person in a browser may have typed. */
function shapeOf({ url, headers }: FastifyRequest): Shape | undefined {
  const path = plainPath(url);
  const byAddress = addresses.find(([pattern]) => pattern.test(path))?.[1];
  if (byAddress !== undefined && byAddress !== openaiChat) return byAddress;
  const bySign = signs.find(([header]) => headers[header] !== undefined)?.[1];
  return bySign ?? byAddress ?? (hasKey(headers) ? openaiChat : undefined);
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
  shapeOf(request) === undefined;

/** Says that there is nothing at this address, in the shape that whoever asks expects. */
export function refuseUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0] ?? '';
  const shape = shapeOf(request) ?? ownApi;
  const refusal = new Refusal('unknownPath', { method: request.method, path });
  // Clients with a wrong base URL would retry for minutes.
  if (shape !== ownApi)
    return reply
      .code(404)
      .header('x-should-retry', 'false')
      .send(bodyIn(shape, refusal, request));
  reply.code(404).header(refusalHeader, refusal.code);
  return reply.send({ success: false, message: refusal.messageIn(languageOf(request)) });
}

function bodyIn(shape: Dialect, refusal: Refusal, request: FastifyRequest): object {
  return shape.writeError({
    status: 404,
    message: `${refusal.messageIn('en')}. ${whatIsServed(shape)}`,
    type: 'invalid_request_error',
    code: null,
    param: null,
    requestId: String(request.id),
  }).body;
}

/** Where somebody who asked in vain finds what there is. */
export const whatIsServed = ({ path }: Dialect): string =>
  `Conversations are at ${path}; everything that is served is listed at /api/openapi.json`;
