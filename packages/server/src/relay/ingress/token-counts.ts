import { readCountRequest, writeTokenCount } from '@headgate/dialects';
import {
  type EndpointKind,
  endpointKinds,
  FreePromptCounter,
  readLargeRequest,
  readRequest,
  requireRoute,
  type UpstreamServices,
} from '@headgate/relay';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TokenCaller } from '../callers/token-caller.ts';
import { requireEndpoint } from '../callers/token-scope.ts';
import type { Relay } from '../run/relay.ts';
import { notImplemented } from './not-implemented.ts';
import { parseGeminiPath } from './requested-endpoint.ts';

interface TokenCountRoutesDependencies {
  readonly relay: Relay;
  readonly upstreamServices: UpstreamServices;
  readonly guarded: RouteShorthandOptions;
  readonly callerOf: (request: FastifyRequest) => TokenCaller;
}

const contents: EndpointKind = { ...endpointKinds.generateContent, unwrap: readCountRequest };

/**
 * Counts the tokens of a prompt, for agents that monitor their context size. Counting is local and free, but it takes
 * CPU time. Therefore it requires a balance and a served model, and counts as an in-flight request.
 */
export function mountTokenCounts(
  app: FastifyInstance,
  { relay, upstreamServices, guarded, callerOf }: TokenCountRoutesDependencies,
): void {
  const counts = new FreePromptCounter(upstreamServices.tokenizer);
  const parsed = { ...guarded, config: { parsesJson: true } };
  const count = async (request: FastifyRequest, kind: EndpointKind, model?: string) => {
    const caller = callerOf(request);
    caller.requireQuota();
    relay.admission.begin(caller);
    try {
      if (request.receivedBody?.isHeavy) await upstreamServices.turns.next();
      requireEndpoint(caller.entry, kind);
      const admitted = relay.routes.admit(caller, await parseCountRequest(request, kind, model));
      requireRoute(relay.ports, caller, admitted.model, admitted.requestedModel);
      return await counts.count(admitted);
    } finally {
      relay.admission.end(caller);
    }
  };
  app.post('/v1/messages/count_tokens', parsed, async (request) => ({
    input_tokens: await count(request, endpointKinds.messages),
  }));
  app.post('/v1beta/models/*', parsed, async (request) => {
    const call = parseGeminiPath(request.url.split('?', 1)[0] ?? '');
    if (call?.method !== 'countTokens') throw notImplemented(request);
    return writeTokenCount(await count(request, contents, call.model));
  });
}

/** Returns a promise only for a large body. */
function parseCountRequest({ receivedBody, headers }: FastifyRequest, kind: EndpointKind, model: string | undefined) {
  if (!receivedBody) return readRequest(kind, Buffer.from('{}'), headers, { model });
  return receivedBody.longStrings.length > 0
    ? readLargeRequest(kind, receivedBody, headers, { model })
    : readRequest(kind, receivedBody.bytes, headers, { model });
}
