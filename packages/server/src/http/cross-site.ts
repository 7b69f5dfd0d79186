import type { Endpoint } from '@headgate/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';

/**
 * Refuses a change that a browser says another site asked for. A client that sends neither header is not a browser;
 * one that authenticates by the Authorization header carries no cookie another site could abuse.
 */
export function refuseCrossSite(request: FastifyRequest, endpoint: Endpoint): void {
  const changes = endpoint.method !== 'GET' || endpoint.changes === true;
  if (!changes || request.headers.authorization !== undefined) return;
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new Refusal('crossSite');
  } else if (origin !== undefined && hostOf(origin) !== request.host) {
    throw new Refusal('crossSite');
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
