import type { EndpointName, PassThrough, Provider, Upstream } from '../provider.ts';
import { testUpstream } from './chat-cases.ts';

/** Endpoint that a provider chooses for this upstream, if requests pass through. */
export function passThroughEndpoint(
  provider: Provider,
  name: EndpointName,
  upstream: Partial<Upstream> = {},
): PassThrough {
  const given = provider[name];
  const found = typeof given === 'function' ? given({ ...testUpstream, ...upstream }) : given;
  if (found?.kind !== 'pass') throw new Error(`${name} is not passed through`);
  return found;
}
