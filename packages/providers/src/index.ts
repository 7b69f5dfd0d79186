export {
  type Ability,
  abilitiesOf,
  type Capability,
  capabilities,
  leniencyOf,
  passesOf,
  translationTo,
} from './capabilities.ts';
export { type ClientHeaders, clientHeadersFor } from './client-headers.ts';
export { inEncoding } from './embedding-words.ts';
export { fitRequest, outsideOf } from './fit-request.ts';
export { type FrameCutter, type Framing, frameCutters, type StreamFrame } from './frames.ts';
export type * from './provider.ts';
export { chatAdaptorOf, providers } from './registry.ts';
export { isErrorEvent, problemInside, usageBeside, usualProblem } from './usual-problem.ts';
