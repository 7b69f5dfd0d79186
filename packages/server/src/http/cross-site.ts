import type { Endpoint } from '@headgate/contract';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../platform/errors/api-error.ts';

/**
 * Rejects a write that a browser attributes to another site. A client without either header is not a browser.
 * Requests with an Authorization header do not use the cookie, so they are exempt, except on public endpoints, where
 * signing in or out changes the cookie in any case.
 */
export function rejectCrossSite(request: FastifyRequest, endpoint: Endpoint): void {
  const changes = endpoint.method !== 'GET' || endpoint.changes === true;
  const isByToken = request.headers.authorization !== undefined && endpoint.access !== 'visitor';
  if (!changes || isByToken) return;
  if (endpoint.method === 'GET' && isLinkOrImage(request)) throw new ApiError('notByLink');
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new ApiError('crossSite');
  } else if (origin !== undefined && hostOf(origin) !== request.host) {
    throw new ApiError('crossSite');
  }
}

/**
 * Console pages show user-supplied texts and images: neither those nor links in emails may change anything. Without
 * TLS browsers send no Sec-Fetch-Dest, so the Accept header decides.
 */
function isLinkOrImage({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined) return destination !== 'empty';
  return /text\/html|^image\//.test(headers.accept ?? '');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
