export {
  type Capability,
  capabilities,
  droppedFieldsOf,
  passesOf,
  type SupportLevel,
  supportOf,
  translationLosses,
  upstreamsOf,
} from './capabilities.ts';
export { type ClientHeaders, clientHeadersFor } from './client-headers.ts';
export {
  defaultMessage,
  defaultProblem,
  errorIn,
  isErrorEvent,
  isFilterCode,
  isMediaError,
  mediaErrorMark,
  plausibleUsage,
  problemInside,
  problemWithError,
  usageWithError,
} from './default-problem.ts';
export { inEncoding, startsWithNumbers, wantsBase64 } from './embedding-messages.ts';
export { fitBody } from './fit-body.ts';
export { fitRequest } from './fit-request.ts';
export { type FrameCutter, type Framing, frameCutters, isEndMark, type StreamFrame } from './frames.ts';
export type * from './provider.ts';
export { chatAdaptorOf, providers } from './registry.ts';
export { isRanking, rankingSearches, rankingTokens, searchesName } from './rerank-messages.ts';
