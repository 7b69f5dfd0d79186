export {
  type Ability,
  abilitiesOf,
  type Capability,
  capabilities,
  leniencyOf,
  passesOf,
  translationTo,
  upstreamsOf,
} from './capabilities.ts';
export { type ClientHeaders, clientHeadersFor } from './client-headers.ts';
export { beginsWithNumbers, inEncoding, wantsBase64 } from './embedding-words.ts';
export { fitBody } from './fit-body.ts';
export { fitRequest } from './fit-request.ts';
export { type FrameCutter, type Framing, frameCutters, isEndMark, type StreamFrame } from './frames.ts';
export type * from './provider.ts';
export { chatAdaptorOf, providers } from './registry.ts';
export { isRanking, rankingSearches, rankingTokens, searchesName } from './rerank-words.ts';
export {
  errorIn,
  isErrorEvent,
  isFilterWord,
  isMediaError,
  mediaErrorMark,
  problemBeside,
  problemInside,
  unreadMessage,
  usageBeside,
  usageIfSane,
  usualProblem,
} from './usual-problem.ts';
