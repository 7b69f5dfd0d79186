import { UpstreamProblem } from '@headgate/dialects';
import type { Upstream } from '../provider.ts';

const gateway = /^https:\/\/gateway\.ai\.cloudflare\.com\/v1\/([^/]+)\/[^/]+\/workers-ai$/;

export const isGateway = ({ baseUrl }: Upstream) => gateway.test(baseUrl);

/** Base URL of an account's models; a gateway URL contains the account. */
export function accountBaseUrl(upstream: Upstream): string {
  if (isGateway(upstream)) return upstream.baseUrl;
  return `${upstream.baseUrl}/client/v4/accounts/${encodeURIComponent(accountOf(upstream))}/ai`;
}

/** Model list URL; a gateway has no model list, but its account does. */
export function modelListUrl(upstream: Upstream): string {
  const account = gateway.exec(upstream.baseUrl)?.[1];
  const home = account ? `https://api.cloudflare.com/client/v4/accounts/${account}/ai` : accountBaseUrl(upstream);
  return `${home}/models/search?per_page=1000`;
}

function accountOf({ config }: Upstream): string {
  const account = config['user_id'];
  if (account) return account;
  throw new UpstreamProblem(403, "The channel's account ID is missing");
}
