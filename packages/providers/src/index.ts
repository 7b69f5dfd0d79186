export type { ChatAnswer, ChatChoice, ChatDelta, FinishReason, ToolCallDelta, Usage } from './chat-answer.ts';
export type { ChatMessage, ContentPart, ImagePart, InlineImage } from './chat-message.ts';
export { type ChatRequest, readChatRequest, refuseUntaken } from './chat-request.ts';
export { type FrameCutter, type Framing, frameCutters, type StreamFrame } from './frames.ts';
export { AnswerGatherer } from './gather-answer.ts';
export { RequestProblem, UpstreamProblem } from './problems.ts';
export type * from './provider.ts';
export { providers } from './registry.ts';
export { usualProblem } from './usual-problem.ts';
