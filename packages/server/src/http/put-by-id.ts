import type { Endpoint } from '@headgate/contract';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors/api-error.ts';

/** URLs of an endpoint. `PUT /api/channel/` takes the id in the body; `PUT /api/channel/:id` does the same. */
export function urlsOf({ method, path, params, body }: Endpoint): readonly string[] {
  if (method !== 'PUT' || params || !body || !('id' in body.shape)) return [path];
  return [path, `${path.replace(/\/$/, '')}/:id(^\\d+$)`];
}

/** Body of a request, with the id of its path. */
export function bodyOf({ params, body }: Endpoint, request: FastifyRequest): unknown {
  const id = (request.params as { readonly id?: string } | undefined)?.id;
  const given = request.body ?? {};
  if (id === undefined || params || !body || typeof given !== 'object' || Array.isArray(given)) return request.body;
  const named = (given as { readonly id?: unknown }).id;
  if (named !== undefined && String(named) !== id) throw new ApiError('badInput', { detail: 'id' });
  return { ...given, id: Number(id) };
}
