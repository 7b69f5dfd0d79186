import type { StoredIds } from '@headgate/providers';
import { highestImageTokens } from '../metering/attachments.ts';
import { promptTokenBound } from '../metering/prompt-bound.ts';
import type { PreviousContext, Route, UpstreamStoredResponse } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError, shortenName } from '../ports/relay-error.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { selectKey } from '../routing/choose-key.ts';
import { channelsDownError } from './require-route.ts';

/**
 * Resolves the response that the request continues from; throws for an unknown response, unless an admin allows any
 * id.
 */
export function withPreviousResponse(
  request: RelayRequest,
  earlier: PreviousContext | undefined,
  allowed: readonly string[],
): RelayRequest {
  if (earlier) return { ...request, earlier };
  const { previousResponse } = request;
  if (!previousResponse || allowed.includes(previousResponse.field)) return request;
  const rejection = new RelayError(
    400,
    previousResponse.missing.message,
    previousResponse.missing.code,
    'invalid_request_error',
  );
  rejection.param = previousResponse.field;
  throw rejection;
}

/** Restricts the route to the channel that stores the response, because no other channel can continue it. */
export function previousResponseRoute(route: Route, { earlier, model }: RelayRequest): Route {
  if (!earlier) return route;
  const channels = route.channels.flatMap((channel) =>
    channel.id === earlier.channel ? (selectKey(channel, earlier.key) ?? []) : [],
  );
  if (channels.length > 0) return { ...route, channels };
  const message = `The channel that stores ${earlier.id} is not available to you for model ${shortenName(model)}, and no other channel can continue it`;
  throw channelsDownError(message);
}

/** The failure, with a note on why no other channel was tried. */
export function explainNoRetry(error: RelayError, { earlier }: RelayRequest): RelayError {
  if (!earlier) return error;
  const message = `${error.message} (no other channel can continue ${earlier.id})`;
  const explained = new RelayError(error.status, message, error.code, error.type);
  explained.retryAfter = error.retryAfter;
  explained.param = error.param;
  return explained;
}

/** Ids that are safe as part of a URL. */
const plainId = /^[\w-]{1,200}$/;

/** True if an upstream response can be stored under this id; other ids are never looked up. */
export const isStoredId = (id: string): boolean => plainId.test(id);

interface DeliveredResponse {
  readonly prepared: PreparedRequest | undefined;
  /** Ids under which the upstream stores the response. */
  readonly keptAs: StoredIds | undefined;
  readonly used: TokenCount;
  readonly attachedTokens: number | undefined;
}

/** Data needed to continue a response; undefined if it cannot be continued. */
export function storedResponseOf(
  request: RelayRequest,
  { prepared, keptAs, used, attachedTokens = 0 }: DeliveredResponse,
): UpstreamStoredResponse | undefined {
  const { mayBeStored, earlier } = request;
  if (keptAs === undefined || !mayBeStored || !isStoredId(keptAs.id)) return undefined;
  if (prepared?.wire.kind !== 'pass' || !prepared.wire.storedResponse) return undefined;
  const tokens = Math.max(used.prompt, storedPromptTokens(request, prepared.channel)) + used.completion;
  const attached = attachedTokens + (earlier?.attachedTokens ?? 0) + keptAs.images * highestImageTokens;
  return {
    id: keptAs.id,
    channel: prepared.channel.id,
    key: prepared.channel.keyId ?? 0,
    tokens,
    attachedTokens: attached,
    items: keptAs.items.filter(isStoredId),
    itemTokens: keptAs.isModelOutput ? used.completion : tokens + attached,
  };
}

/**
 * If the start of the prompt may have been truncated, the token count does not show how much is stored, so the
 * maximum is assumed: the prompt and everything before it.
 */
function storedPromptTokens(request: RelayRequest, channel: RelayChannel): number {
  if (!request.mayDropPrompt) return 0;
  const { earlier, ...sent } = request;
  return (earlier?.tokens ?? 0) + promptTokenBound(sent, [channel]);
}
