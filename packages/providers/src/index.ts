export {
  type Capability,
  capabilities,
  droppedFields,
  passThroughLevel,
  type SupportLevel,
  sampleUpstreams,
  supportLevels,
  translationLosses,
} from './capabilities.ts';
export { type ClientHeaders, clientHeadersFor } from './client-headers.ts';
export {
  defaultMessage,
  defaultProblem,
  errorIn,
  errorInSuccess,
  isContentFilterCode,
  isErrorEvent,
  isMediaError,
  mediaErrorMarker,
  plausibleUsage,
  problemFrom,
  usageBesideError,
} from './default-problem.ts';
export { hasFloatEmbeddings, wantsBase64, withRequestedEncoding } from './embeddings-format.ts';
export { fitBody, fitRequest } from './fit-request.ts';
export { type FrameSplitter, type Framing, frameSplitters, isEndMarker, type StreamFrame } from './frames.ts';
export { lookUpModelFacts } from './model-facts.ts';
export { billedPages, isOcrResponse, pageCountField, returnedPages } from './ocr-format.ts';
export type * from './provider.ts';
export { namesWithReasoningSuffix, splitReasoningSuffix } from './reasoning-suffix.ts';
export { providers, reasoningFields, toChatAdaptor } from './registry.ts';
export { billedRerankTokens, billedSearches, isRerankResponse, searchCountField } from './rerank-format.ts';
export { type AwsCredentials, sigV4Headers } from './sigv4.ts';
