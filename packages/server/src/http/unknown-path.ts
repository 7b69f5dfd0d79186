import { errorCodeHeader } from '@headgate/contract';
import { anthropicMessages, type Dialect, gemini, ollamaChat, openaiChat } from '@headgate/dialects';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors/api-error.ts';
import { requestLanguage } from './client.ts';
import { isDecodable } from './readable-url.ts';

/** Format of the console's API; all other formats are written by their dialect. */
const ownApi = 'own';
type ErrorFormat = Dialect | typeof ownApi;

/** Paths called by API clients, and the format of their errors; the first match wins. */
const addresses: readonly (readonly [pattern: RegExp, shape: ErrorFormat])[] = [
  [/^\/api\/(pull|push|create|copy|delete|ps|blobs|embeddings)(\/|$)/, ollamaChat],
  [/^\/api(\/|$)/, ownApi],
  [/^\/(v1\/messages|v1\/complete|anthropic|claude)(\/|$)/, anthropicMessages],
  [/^\/(v\d+(alpha|beta)\d*|gemini|google|vertex)(\/|$)/, gemini],
  [/^\/v\d+\/models\/[^/]*:/, gemini],
  [/^\/(v\d+|dashboard|openai|azure|mcp|sse|engines|deployments|\.well-known)(\/|$)/, openaiChat],
  [/^\/(models|embeddings|completions|responses|messages|chat\/completions)(\/|$)/, openaiChat],
  // Additional endpoints of new-api: image, music and video jobs, and its playground.
  [/^\/(mj|mj-\w+|fast|suno|kling|jimeng|pg)(\/|$)/, openaiChat],
];

/** Headers that clients of a dialect send with every request. */
const dialectHeaders: readonly (readonly [header: string, shape: ErrorFormat])[] = [
  ['anthropic-version', anthropicMessages],
  ['x-goog-api-key', gemini],
  ['x-api-key', openaiChat],
  ['api-key', openaiChat],
];

/** Undefined for a path that a user may have typed into a browser. */
function errorFormatOf({ url, headers }: FastifyRequest): ErrorFormat | undefined {
  const path = plainPath(url);
  const byAddress = addresses.find(([pattern]) => pattern.test(path))?.[1];
  if (byAddress !== undefined && byAddress !== openaiChat) return byAddress;
  const bySign = dialectHeaders.find(([header]) => headers[header] !== undefined)?.[1];
  return bySign ?? byAddress ?? (hasKey(headers) ? openaiChat : undefined);
}

/** The decoded path without its query, with single slashes and in lower case. */
function plainPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return (isDecodable(path) ? decodeURIComponent(path) : path).replace(/\/{2,}/g, '/').toLowerCase();
}

/** True for an API client with a key. A browser's page requests are excluded, because a proxy may add a key to them. */
const hasKey = ({ authorization = '', accept = '' }: FastifyRequest['headers']): boolean =>
  /^bearer /i.test(authorization) && !accept.includes('text/html');

/** True if the console page is the correct response. */
export const isPageRequest = (request: FastifyRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  !request.url.startsWith('/assets/') &&
  errorFormatOf(request) === undefined;

/** Responds that the path is unknown, in the format that the client expects. */
export function rejectUnknownPath(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0] ?? '';
  const shape = errorFormatOf(request) ?? ownApi;
  const error = new ApiError('unknownPath', { method: request.method, path });
  // Clients with a wrong base URL would otherwise retry for minutes.
  if (shape !== ownApi)
    return reply
      .code(404)
      .header('x-should-retry', 'false')
      .send(bodyIn(shape, error, request));
  reply.code(404).header(errorCodeHeader, error.code);
  return reply.send({ success: false, message: error.messageIn(requestLanguage(request)) });
}

function bodyIn(shape: Dialect, error: ApiError, request: FastifyRequest): object {
  return shape.writeError({
    status: 404,
    message: `${error.messageIn('en')}. ${endpointHint(shape)}`,
    type: 'invalid_request_error',
    code: null,
    param: null,
    requestId: String(request.id),
  }).body;
}

/** Hint for clients that lists the available endpoints. */
export const endpointHint = ({ path }: Dialect): string =>
  `Chat requests go to ${path}; all endpoints are listed at /api/openapi.json`;
