import type { ItemReference } from '@headgate/dialects';
import type { Caller, EarlierContext, Ports, UpstreamStoredItem } from '../ports/ports.ts';
import { RelayError, shortenName } from '../ports/relay-error.ts';
import { stringify } from '../request/long-strings.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** Option value with which an admin allows unknown items. */
const optionName = 'item_reference';
const maxReferences = 2000;

/** Items to look up; throws when there are too many. */
export function referencedItems({ kind, body }: RelayRequest): readonly ItemReference[] {
  const named = kind.dialect.itemReferencesIn?.(body) ?? [];
  if (named.length > maxReferences)
    throw rejectedItemsError(400, `${kind.input} may refer to at most ${maxReferences} items`, kind.input);
  return named;
}

/**
 * Resolves the items that the request references. Throws for an item that was not created for this user. Removes
 * reasoning items of other users or on another channel than the rest.
 */
export async function withReferencedItems<By extends Caller>(
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

/** If only reasoning items are referenced, the latest is the most useful. */
const lastOf = (
  named: readonly ItemReference[],
  items: ReadonlyMap<string, UpstreamStoredItem>,
): UpstreamStoredItem | undefined => items.get(named.findLast(({ id }) => items.has(id))?.id ?? '');

/** Adds items to the context; the tokens of items of one response are counted once. */
function withItems(earlier: EarlierContext, items: readonly UpstreamStoredItem[]): EarlierContext {
  const byAnswer = new Map(items.map(({ answer, itemTokens }) => [answer, itemTokens]));
  const { id, channel, key, tokens, attachedTokens } = earlier;
  return { id, channel, key, attachedTokens, tokens: [...byAnswer.values()].reduce((sum, each) => sum + each, tokens) };
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

const missingItem = (id: string, place: string) =>
  rejectedItemsError(
    404,
    `Item with id '${shortenName(id)}' not found. Items are stored for the user who created them, unless store is false, ` +
      'until they expire: send the item itself.',
    place,
  );

const storedSeparatelyError = ([one, other]: readonly [string, string], place: string) =>
  rejectedItemsError(
    400,
    `${one} and ${shortenName(other)} are stored by different channels, so they cannot be combined`,
    place,
  );

function rejectedItemsError(status: number, message: string, place: string): RelayError {
  const rejection = new RelayError(status, message, null, 'invalid_request_error');
  rejection.param = place;
  return rejection;
}
