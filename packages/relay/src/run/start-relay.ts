import type { ItemReference } from '@headgate/dialects';
import type { Caller, Ports, PreviousContext, UpstreamStoredItem } from '../ports/ports.ts';
import { isTooDeepError, RelayError, shortenName, tooDeepError } from '../ports/relay-error.ts';
import { stringify } from '../request/long-strings.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { rejectUnpricedFields } from '../request/reject-unpriced-fields.ts';
import { withoutServerTools } from '../request/server-tools.ts';
import { responseEnvelope } from '../response/deliver-long-response.ts';
import { firstAvailableModel } from './model-chain.ts';
import { previousResponseRoute, withPreviousResponse } from './previous-response.ts';
import type { RelayCall } from './relay-call.ts';
import { RelayRun } from './relay-run.ts';
import { withStored, withStoring } from './stored-context.ts';
import type { UpstreamServices } from './upstream-services.ts';

interface StartedCall {
  readonly request: RelayRequest;
  readonly named: readonly ItemReference[];
}

/**
 * Relays one request, or throws the error that rejects it. Asynchronous only if it must look up earlier responses that
 * the request references.
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

/** Requests that exceed this size after expansion are processed in separate turns of the event loop. */
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
    rejectUnpricedFields(known, ports.unpricedFieldsAllowed(), ports.ratios());
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
 * Expands the references of the request: inlines data that the gateway stores, otherwise finds the upstream that stores
 * it.
 */
async function withEarlier<By extends Caller>(
  ports: Ports<By>,
  call: Pick<RelayCall<By>, 'caller' | 'memory'>,
  requested: StartedCall,
): Promise<RelayRequest> {
  const { caller } = call;
  const request = await withStored(ports, call, requested);
  const named = request === requested.request ? requested.named : referencedItems(request);
  const { previousResponse } = request;
  const earlier = previousResponse && (await ports.storedUpstreamResponse(caller, previousResponse.id));
  const going = withPreviousResponse(request, earlier, ports.unpricedFieldsAllowed());
  return named.length === 0 ? going : withReferencedItems(ports, caller, { request: going, named });
}

function begin<By extends Caller>(ports: Ports<By>, services: UpstreamServices, call: RelayCall<By>): Promise<void> {
  rejectUnpricedFields(call.request, ports.unpricedFieldsAllowed(), ports.ratios());
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

/** Responds to a request that only preloads a model. Upstreams need no preloading, and nothing is charged. */
function isReadied({ request, client, requestId }: RelayCall): boolean {
  const { dialect } = request.kind;
  const ready = dialect.preloadResponse?.(responseEnvelope(request, requestId));
  if (ready === undefined) return false;
  client.start(200, { 'content-type': 'application/json; charset=utf-8' });
  client.end(Buffer.from(ready));
  return true;
}

/** Option value with which an admin allows unknown items. */
const optionName = 'item_reference';
const maxReferences = 2000;

/** Items to look up; throws if there are too many. */
function referencedItems({ kind, body }: RelayRequest): readonly ItemReference[] {
  const named = kind.dialect.collectItemReferences?.(body) ?? [];
  if (named.length > maxReferences)
    throw rejectedItemsError(400, `${kind.input} may refer to at most ${maxReferences} items`, kind.input);
  return named;
}

/**
 * Resolves the items that the request references. Throws for an item that was not created for this user. Removes
 * reasoning items that belong to other users or are stored on a different channel than the rest.
 */
async function withReferencedItems<By extends Caller>(
  ports: Ports<By>,
  caller: By,
  { request, named }: { readonly request: RelayRequest; readonly named: readonly ItemReference[] },
): Promise<RelayRequest> {
  const found = await ports.storedUpstreamItems(caller, [...new Set(named.map(({ id }) => id))]);
  const items = new Map(found.map((item) => [item.id, item]));
  const isAllowed = ports.unpricedFieldsAllowed().includes(optionName);
  const missing = named.find(({ id, isNeeded }) => isNeeded && !items.has(id));
  if (missing && !isAllowed) throw missingItem(missing.id, request.kind.input);
  const needed = named.flatMap(({ id, isNeeded }) => (isNeeded ? (items.get(id) ?? []) : []));
  const first = request.earlier ?? needed[0] ?? lastOf(named, items);
  const elsewhere = needed.find((item) => !isStoredWith(item, first));
  if (first && elsewhere) throw storedSeparatelyError([first.id, elsewhere.id], request.kind.input);
  const together = found.filter((item) => isStoredWith(item, first));
  const earlier = first && withItems(request.earlier ?? { ...first, tokens: 0, attachedTokens: 0 }, together);
  const knowsItems = !missing && (!request.previousResponse || request.earlier !== undefined);
  const going = { ...request, ...(earlier && { earlier }), knowsItems };
  return isAllowed ? going : withoutOthers(going, named, new Set(together.map(({ id }) => id)));
}

const isStoredWith = (
  item: UpstreamStoredItem,
  other: Pick<UpstreamStoredItem, 'channel' | 'key'> | undefined,
): boolean => item.channel === other?.channel && item.key === other.key;

/** If only reasoning items are referenced, the latest one is the most useful. */
const lastOf = (
  named: readonly ItemReference[],
  items: ReadonlyMap<string, UpstreamStoredItem>,
): UpstreamStoredItem | undefined => items.get(named.findLast(({ id }) => items.has(id))?.id ?? '');

/** Adds items to the context; the tokens of items from the same response are counted once. */
function withItems(earlier: PreviousContext, items: readonly UpstreamStoredItem[]): PreviousContext {
  const byResponse = new Map(items.map(({ response, itemTokens }) => [response, itemTokens]));
  const { id, channel, key, tokens, attachedTokens } = earlier;
  return {
    id,
    channel,
    key,
    attachedTokens,
    tokens: [...byResponse.values()].reduce((sum, each) => sum + each, tokens),
  };
}

function withoutOthers(
  request: RelayRequest,
  named: readonly ItemReference[],
  known: ReadonlySet<string>,
): RelayRequest {
  const others = new Set(named.flatMap(({ id }) => (known.has(id) ? [] : id)));
  const changes = others.size > 0 ? request.kind.dialect.withoutItems?.(request.body, others) : undefined;
  if (!changes) return request;
  const body = { ...request.body, ...changes };
  return { ...request, body, bytes: stringify(body, request.longStrings) };
}

const missingItem = (id: string, path: string) =>
  rejectedItemsError(
    404,
    `Item with id '${shortenName(id)}' not found. Items are stored for the user who created them, unless store is false, ` +
      'until they expire: send the item itself.',
    path,
  );

const storedSeparatelyError = ([one, other]: readonly [string, string], path: string) =>
  rejectedItemsError(
    400,
    `${one} and ${shortenName(other)} are stored by different channels, so they cannot be combined`,
    path,
  );

function rejectedItemsError(status: number, message: string, path: string): RelayError {
  const rejection = new RelayError(status, message, null, 'invalid_request_error');
  rejection.param = path;
  return rejection;
}
