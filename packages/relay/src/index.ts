export { guardedLookup, isForbiddenHost, normalizedHost } from './guards/forbidden-address.ts';
export { KeyFilter } from './guards/key-leak-filter.ts';
export { maskSecrets } from './guards/mask-secrets.ts';
export { isPublicAddress, publicLookup } from './guards/public-address.ts';
export { insufficientQuotaError, isPricedPerToken } from './metering/insufficient-quota-error.ts';
export type { AttemptEnd, AttemptTrace, CallTrace } from './ports/call-trace.ts';
export { ClientDisconnect, type ClientSink, disconnectCause } from './ports/client-sink.ts';
export type {
  Caller,
  ChannelFailure,
  NoRouteReason,
  Outcome,
  Ports,
  PreviousContext,
  ReferencedResponses,
  RequestMemoryLimit,
  ResponseStore,
  Route,
  RouteMirror,
  RouteRule,
  RouteSplit,
  UpstreamStoredItem,
  UpstreamStoredResponse,
} from './ports/ports.ts';
export type { KeyLoad, RelayChannel, RelayKey } from './ports/relay-channel.ts';
export { databaseUnreachableError, RelayError, serverShuttingDownError, shortenName } from './ports/relay-error.ts';
export type { ExpectedUsage, LimitedModel, RequestLimits } from './ports/request-limits.ts';
export { Account } from './quota/account.ts';
export { mediaRatios } from './quota/built-in-ratio-tables.ts';
export { builtInRatios } from './quota/built-in-ratios.ts';
export { contextWindowOf } from './quota/context-windows.ts';
export { listedModels, type PriceUnit, pointsPerUnit, priceUnitOf } from './quota/listed-price.ts';
export { isPriced, type Price, priceOf, type SavedRatios } from './quota/price.ts';
export { pointsPerRequest, quotaOf } from './quota/quota-of.ts';
export { modelRatios } from './quota/ratios.ts';
export {
  availablePoints,
  type BudgetAccount,
  type Payer,
  type PayingPlan,
  Reservation,
  type Shortage,
} from './quota/reservation.ts';
export { isCheckedField, isOtherModelField } from './request/checked-fields.ts';
export {
  dialectFamily,
  type EndpointKind,
  endpointFamily,
  endpointKinds,
  errorDialectOf,
  geminiEmbeddings,
  isConversation,
  ollamaEmbeddings,
} from './request/endpoint-kinds.ts';
export type { StringRange } from './request/long-strings.ts';
export { stringify } from './request/long-strings.ts';
export { readLargeRequest } from './request/read-large-request.ts';
export { type RelayRequest, readForm, readRequest } from './request/read-request.ts';
export { allowedContentType, octetStream } from './response/content-type.ts';
export { keyCooldownMs, selectKey } from './routing/choose-key.ts';
export type { Cooldowns } from './routing/cooldowns.ts';
export { explainChoice } from './routing/explain-choice.ts';
export { readRules } from './rules/read-rules.ts';
export { failedAttempt } from './run/failed-attempt.ts';
export { type PreviewedRequest, previewRequest } from './run/preview-request.ts';
export { isStoredId } from './run/previous-response.ts';
export { probeChannel } from './run/probe-channel.ts';
export { listModels, readBalance } from './run/query-upstream.ts';
export type { RelayCall } from './run/relay-call.ts';
export { channelsDownError, modelNotFoundError, requireRoute } from './run/require-route.ts';
export { relayCall } from './run/start-relay.ts';
export { maxReferencedBytes, maxStoredBytes, storedContextTooLargeError } from './run/stored-context.ts';
export { requestStoredResponse } from './run/stored-upstream-response.ts';
export { UpstreamServices, withIsolatedHealth } from './run/upstream-services.ts';
export { FreePromptCounter } from './tokens/prompt-tokens.ts';
export { GuardedSink } from './upstream/guarded-sink.ts';
export { type BufferShare, responseTooLongError } from './upstream/response-buffer.ts';
export { Ticker, type TimeoutTarget } from './upstream/ticker.ts';
export type { Timeouts } from './upstream/upstream.ts';
export type { UpstreamRequest, UpstreamResponse, UpstreamSink } from './upstream/upstream-exchange.ts';
