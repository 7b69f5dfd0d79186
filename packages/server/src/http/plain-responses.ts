import type { Endpoint } from '@headgate/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '../platform/errors/api-error.ts';

const preference = 'plain-responses';

/** True if the client sends `Prefer: plain-responses`: data without the envelope, and a status for every error. */
const prefersPlain = ({ headers }: FastifyRequest): boolean =>
  [headers['prefer'] ?? []]
    .flat()
    .flatMap((list) => list.split(','))
    .some((name) => name.trim().toLowerCase() === preference);

/** Endpoints with fields next to `data` keep their envelope. */
export const isPlain = ({ top }: Endpoint, request: FastifyRequest): boolean => !top && prefersPlain(request);

/** Sends the data as JSON; an empty object if there is none, because generic clients parse every response. */
export function sendPlain(reply: FastifyReply, data: unknown): FastifyReply {
  return reply
    .header('preference-applied', preference)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(data ?? {}));
}

const absent: ReadonlySet<string> = new Set(['notFound', 'unknownUser', 'unknownOption']);

/** Status of an error. Errors that return 200 for compatibility get an error status in plain responses. */
export function errorStatus({ status, code }: Pick<ApiError, 'status' | 'code'>, request: FastifyRequest): number {
  if (status !== 200 || !prefersPlain(request)) return status;
  return absent.has(code) ? 404 : 400;
}
