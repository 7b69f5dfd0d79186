import type { Endpoint } from '@headgate/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../platform/errors/refusal.ts';

/**
 * Refuses a change that a browser says another site asked for. A client that sends neither header is not a browser;
 * for one that authenticates by the Authorization header no cookie is looked at that another site could abuse, but where
 * visitors are served: to sign in or out is about the cookie, whatever else comes with it.
 */
export function refuseCrossSite(request: FastifyRequest, endpoint: Endpoint): void {
  const changes = endpoint.method !== 'GET' || endpoint.changes === true;
  const isByToken = request.headers.authorization !== undefined && endpoint.access !== 'visitor';
  if (!changes || isByToken) return;
  if (endpoint.method === 'GET' && isLinkOrPicture(request)) throw new Refusal('notByLink');
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw new Refusal('crossSite');
  } else if (origin !== undefined && hostOf(origin) !== request.host) {
    throw new Refusal('crossSite');
  }
}

/**
 * Pages of ours show texts and pictures of other people's choosing: none of them may change anything for who looks at
 * it, and neither may a link in a mail. Without TLS browsers do not say what they ask for, but still what they take.
 */
function isLinkOrPicture({ headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest'];
  if (destination !== undefined) return destination !== 'empty';
  return /text\/html|^image\//.test(headers.accept ?? '');
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
