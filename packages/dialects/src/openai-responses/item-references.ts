import type { ItemReference } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { listAt, textAt } from '../upstream-fields.ts';

/** Input items without content, which OpenAI looks up by id. */
export function collectItemReferences(body: JsonObject): readonly ItemReference[] {
  const input = listAt(body, 'input');
  let named: ItemReference[] | undefined;
  let requests: ReadonlySet<string> | undefined;
  for (const item of input) {
    const found = isObject(item) ? namedBy(item, body) : undefined;
    if (!found) continue;
    if (textAt(item, 'type') === approvalResponseType) {
      requests ??= approvalRequestsIn(input);
      if (requests.has(found.id)) continue;
    }
    named ??= [];
    named.push(found);
  }
  return named ?? none;
}

const none: readonly ItemReference[] = [];

function namedBy(item: JsonObject, { store }: JsonObject): ItemReference | undefined {
  switch (item['type'] ?? '') {
    case 'item_reference':
      return { id: textAt(item, 'id'), isNeeded: true };
    case 'reasoning':
      // Without storage, the reasoning item is not sent upstream; see the provider.
      return store === false ? undefined : namedThought(item);
    case 'image_generation_call':
      return namedPicture(item);
    case approvalResponseType:
      return { id: textAt(item, approved), isNeeded: true };
    default:
      return isReference(item) ? { id: textAt(item, 'id'), isNeeded: true } : undefined;
  }
}

/** True if the item only references a stored item by its `id`. */
export const isItemReference = (item: unknown, body: JsonObject): boolean =>
  isObject(item) && textAt(item, 'type') !== approvalResponseType && namedBy(item, body) !== undefined;

/** An item without a role and a type is not a message, regardless of its other fields. */
const isReference = (item: JsonObject): boolean =>
  textAt(item, 'id') !== '' && ((item['type'] == null && item['role'] == null) || isBare(item));

/**
 * Returns a reference only for stored reasoning: reasoning in a translated response has no signature and is not stored.
 */
function namedThought(item: JsonObject): ItemReference | undefined {
  const id = textAt(item, 'id');
  const isHere = id === '' || textAt(item, 'encrypted_content') !== '' || isTranslatedId(id);
  return isHere ? undefined : { id, isNeeded: false };
}

function namedPicture(item: JsonObject): ItemReference | undefined {
  const id = textAt(item, 'id');
  const isHere = textAt(item, 'result') !== '';
  return isHere && isTranslatedId(id) ? undefined : { id, isNeeded: !isHere };
}

const approved = 'approval_request_id';
const approvalResponseType = 'mcp_approval_response';

/** Approval requests in the same input need no lookup; other ids do. */
const approvalRequestsIn = (input: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    input
      .filter(isObject)
      .filter((item) => textAt(item, 'type') === 'mcp_approval_request' && !isBare(item))
      .map((item) => textAt(item, 'id')),
  );

/** True if the gateway created the id; OpenAI's ids have no second part. */
const isTranslatedId = (id: string): boolean => id.includes('_', id.indexOf('_') + 1);

/** Fields that do not count as content. */
const formal: ReadonlySet<string> = new Set(['id', 'type', 'status', 'object', 'role']);

const isBare = (item: JsonObject): boolean =>
  Object.keys(item).every((name) => formal.has(name) || isEmpty(item[name]));

const isEmpty = (value: unknown): boolean =>
  value == null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/**
 * Removes the ids of reasoning items, so that they are not looked up. An embedded image requires an id, so it gets one
 * that is not stored.
 */
export const withoutItems = (body: JsonObject, ids: ReadonlySet<string>): JsonObject => ({
  input: listAt(body, 'input').map((item) => {
    if (!isObject(item) || !ids.has(textAt(item, 'id'))) return item;
    const { id: _id, ...rest } = item;
    if (rest['type'] === 'reasoning') return rest;
    return rest['type'] === 'image_generation_call' ? { ...rest, id: unstoredImageId } : item;
  }),
});

const unstoredImageId = 'ig_sent_along';
