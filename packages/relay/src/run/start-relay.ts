import type { ItemReference } from '@headgate/dialects';
import type { Caller, Ports } from '../ports/ports.ts';
import { isTooDeepError, tooDeepError } from '../ports/too-deep.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { rejectUnpricedFields } from '../request/reject-unpriced-fields.ts';
import { withoutServerTools } from '../request/server-tools.ts';
import { responseEnvelope } from '../response/response-envelope.ts';
import { firstAvailableModel } from './model-chain.ts';
import { previousResponseRoute, withPreviousResponse } from './previous-response.ts';
import { referencedItems, withReferencedItems } from './referenced-items.ts';
import type { RelayCall } from './relay-call.ts';
import { RelayRun } from './relay-run.ts';
import { withStored, withStoring } from './stored-context.ts';
import type { UpstreamServices } from './upstream-services.ts';

interface StartedCall {
  readonly request: RelayRequest;
  readonly named: readonly ItemReference[];
}

/**
 * Relays one request, or throws the error that rejects it. Asynchronous only when it must look up earlier responses
 * that the request references.
 */
export function relayCall<By extends Caller>(
  ports: Ports<By>,
  services: UpstreamServices,
  call: RelayCall<By>,
): Promise<void> {
  const allowed = ports.unpricedFieldsAllowed();
  const request = withStoring(ports, withoutServerTools(call.request, allowed));
  const named = referencedItems(request);
  if (!request.previousResponse && named.length === 0)
    return begin(ports, services, request === call.request ? call : { ...call, request });
  return beginReferring(ports, services, { ...call, request }, named);
}

/** Larger expanded requests are processed in separate turns of the event loop. */
const heavyBytes = 256 * 1024;
const minUsage = { tokens: 1, points: () => 0 };

/**
 * Applies limits before any lookup, because a small request can reference large stored data; then again with its full
 * size.
 */
async function beginReferring<By extends Caller>(
  ports: Ports<By>,
  services: UpstreamServices,
  call: RelayCall<By>,
  named: readonly ItemReference[],
): Promise<void> {
  const { caller, request } = call;
  const { request: first, route } = firstAvailableModel(ports, caller, request);
  const limits = ports.limits(caller, { model: first.model, group: route.group, channels: route.channels });
  await limits?.admit(minUsage);
  let known: RelayRequest;
  try {
    known = await withEarlier(ports, call, { request, named });
    rejectUnpricedFields(known, ports.unpricedFieldsAllowed());
  } catch (error) {
    limits?.end();
    throw error;
  }
  const isHeavy = call.isHeavy || known.bytes.length > heavyBytes;
  if (isHeavy) await services.turns.next();
  limits?.withdraw();
  return begin(ports, services, { ...call, request: known, isHeavy });
}

/**
 * Expands the references of the request: inlines data that the gateway stores, otherwise locates it at its upstream.
 */
async function withEarlier<By extends Caller>(
  ports: Ports<By>,
  call: Pick<RelayCall<By>, 'caller' | 'memory'>,
  asked: StartedCall,
): Promise<RelayRequest> {
  const { caller } = call;
  const request = await withStored(ports, call, asked);
  const named = request === asked.request ? asked.named : referencedItems(request);
  const { previousResponse } = request;
  const earlier = previousResponse && (await ports.storedUpstreamResponse(caller, previousResponse.id));
  const going = withPreviousResponse(request, earlier, ports.unpricedFieldsAllowed());
  return named.length === 0 ? going : withReferencedItems(ports, caller, { request: going, named });
}

function begin<By extends Caller>(ports: Ports<By>, services: UpstreamServices, call: RelayCall<By>): Promise<void> {
  rejectUnpricedFields(call.request, ports.unpricedFieldsAllowed());
  const { request, route, chain } = firstAvailableModel(ports, call.caller, call.request);
  if (isReadied(call)) return Promise.resolve();
  try {
    const limits = ports.limits(call.caller, { model: request.model, group: route.group, channels: route.channels });
    const begun = limits || request !== call.request ? { ...call, request, ...(limits && { limits }) } : call;
    const run = new RelayRun(ports, services, begun, { route: previousResponseRoute(route, request), chain });
    return limits || chain.fallbacks.length > 0 ? run.run().finally(() => run.endLimits()) : run.run();
  } catch (error) {
    throw isTooDeepError(error) ? tooDeepError() : error;
  }
}

/** Responds to a request that only preloads a model: upstreams need no preloading, and nothing is charged. */
function isReadied({ request, client, requestId }: RelayCall): boolean {
  const { dialect } = request.kind;
  const ready = dialect.preloadResponse?.(responseEnvelope(request, requestId));
  if (ready === undefined) return false;
  client.start(200, { 'content-type': 'application/json; charset=utf-8' });
  client.end(Buffer.from(ready));
  return true;
}
