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
  if (body['service_tier'] !== undefined) return undefined;
  const { requestedModel: _alias, ...served } = request;
  const copy: RelayRequest = { ...served, model, pricedModel: undefined };
  // The provider must not store the response.
  if (!storage && body['store'] !== true) return copy;
  const unstored = { ...body, store: false };
  return { ...copy, mayBeStored: false, body: unstored, bytes: stringify(unstored, request.longStrings) };
}
