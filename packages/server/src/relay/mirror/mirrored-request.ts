import { serverToolsField, serviceTierField, unpricedFields } from '@headgate/dialects';
import { isConversation, type RelayRequest, stringify } from '@headgate/relay';

/** Larger requests are not mirrored, because their bytes stay in memory until the copy has ended. */
const maxBytes = 256 * 1024;

/**
 * The copy of a request. Undefined for requests that refer to stored data or have effects beyond their response: those
 * with tools run by the provider, and everything except conversations.
 */
export function mirroredRequest(request: RelayRequest, model: string): RelayRequest | undefined {
  const { kind, body, bytes, previousResponse } = request;
  if (!isConversation(kind) || kind.isNeverTranslated || bytes.length > maxBytes || previousResponse) return undefined;
  const { findServerTools, collectItemReferences, storage } = kind.dialect;
  if ((findServerTools?.(body) ?? []).length + (collectItemReferences?.(body) ?? []).length > 0) return undefined;
  if (body[serviceTierField] !== undefined || hasFieldWithEffects(body)) return undefined;
  const { requestedModel: _alias, ...served } = request;
  const copy: RelayRequest = { ...served, model, pricedModel: undefined };
  // The provider must not store the response.
  if (!storage && body['store'] !== true) return copy;
  const unstored = { ...body, store: false };
  return { ...copy, mayBeStored: false, body: unstored, bytes: stringify(unstored, request.longStrings) };
}

/**
 * True if an admin allowed a field without a price: such fields refer to data in the operator's account or make the
 * provider act, and a copy would do it again. Tools are checked by dialect.
 */
const hasFieldWithEffects = (body: RelayRequest['body']): boolean =>
  Object.entries(body).some(
    ([name, value]) => name !== serverToolsField && unpricedFields.get(name)?.(value) === false,
  );
