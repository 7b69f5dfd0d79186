import type { UpstreamRequest } from '@headgate/providers';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { applyHeaderRules } from './apply-header-rules.ts';

/** Header rules without conditions, for requests that are not for a model: model lists and balances. */
export function ruledQuery(request: UpstreamRequest, { rules, key }: RelayChannel): UpstreamRequest {
  if (!rules) return request;
  const general = rules.all.filter(({ when }) => Object.values(when).every((list) => list.length === 0));
  const actions = general.flatMap((rule) => rule.then.filter((action) => 'header' in action));
  return { ...request, headers: applyHeaderRules(request.headers, actions, { key, client: {} }) };
}
