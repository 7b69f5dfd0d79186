export { anthropicMessages } from './anthropic-messages/index.ts';
export { audioSeconds, maxAudioRate } from './audio-length.ts';
export {
  type AssistantMessage,
  type CacheControlled,
  type ChatMessage,
  type ContentPart,
  type FilePart,
  type ImagePart,
  joinTextParts,
  type SystemMessage,
  type TextPart,
  type ToolMessage,
  type UserMessage,
} from './chat/chat-message.ts';
export {
  type ChatExtras,
  type ChatField,
  type ChatHint,
  type ChatRequest,
  type ChatRequirement,
  chatHints,
  chatRequirements,
  collectImageUrls,
  enablesReasoning,
  type GoogleExtras,
  type ResponseFormat,
  type Tool,
  usedHints,
  usedRequirements,
  withInlineImages,
} from './chat/chat-request.ts';
export {
  type ChatChoice,
  type ChatDelta,
  type ChatResponse,
  type Citation,
  type FinishReason,
  type ToolCall,
  type ToolCallDelta,
  type UnverifiedUsage,
  type Usage,
  usagePartNames,
} from './chat/chat-response.ts';
export { readMediaUsage, validMediaUsage } from './chat/media-usage.ts';
export { DeltaMerger, reportChatResponse, reportDelta, toDeltas } from './chat/merge-deltas.ts';
export {
  joinReasoning,
  type ReasoningBlock,
  type ReasoningVendor,
  readTaggedSignature,
  taggedSignature,
} from './chat/reasoning-block.ts';
export { type ReasoningSetting, withReasoning } from './chat/reasoning-setting.ts';
export { conversationStart, sessionHeaders } from './conversation.ts';
export { type InlineData, readDataUrl } from './data-url.ts';
export type * from './dialect.ts';
export { type ConversationName, dialects } from './dialects.ts';
export { endUserWithoutSession } from './end-user.ts';
export {
  type ListedModel,
  readBatchEmbedContents,
  readCountRequest,
  readEmbedContent,
  writeBatchEmbedContents,
  writeEmbedContent,
  writeModel,
  writeModelList,
  writeTokenCount,
} from './gemini/endpoints.ts';
export { gemini } from './gemini/index.ts';
export { type JsonBounds, JsonBoundsCounter, requestBounds, responseBounds } from './json-bounds.ts';
export {
  isObject,
  type JsonObject,
  modelField,
  optionalBoolean,
  optionalNumber,
  optionalText,
  parseJson,
  parseJsonObject,
  requiredText,
  requireList,
  requireObject,
  shortFields,
  wholeNumberIn,
} from './json-fields.ts';
export {
  type LimitHeaders,
  limitHeaderNames,
  openaiLimitHeaders,
  type RemainingLimit,
  type RemainingLimits,
  rateLimitResetMs,
  readRetryAfter,
} from './limit-headers.ts';
export { isInfillRequest, readInfillRequest, writeInfillResponse } from './ollama/generate-request.ts';
export { ollamaChat, ollamaGenerate, readEmbed, writeEmbed } from './ollama/index.ts';
export { ollamaVersion, writeShow, writeTags } from './ollama/model-list.ts';
export { openaiChat } from './openai-chat/index.ts';
export { limitFieldNames, readOutline } from './openai-chat/read-outline.ts';
export {
  fallbackModelFields,
  readChatRequest,
  responseText,
  routingFields,
  singleFormFields,
  singleMessageBody,
} from './openai-chat/read-request.ts';
export { readUsage as readOpenaiUsage } from './openai-chat/response-scan.ts';
export { writeUsage as writeOpenaiUsage } from './openai-chat/write-response.ts';
export type { EndpointFields, RepeatedText } from './openai-endpoints/endpoint-fields.ts';
export {
  type ImageSettings,
  type ImageTokenUsage,
  imageFields,
  imageTokenUsageOf,
  imageUsageName,
  openaiEndpointFields,
  premiumQualities,
  type Ranking,
  readFormText,
  readImageSettings,
  readImageTokenUsage,
  readRanking,
  speechInstructionsField,
  streamsImages,
} from './openai-endpoints/endpoints.ts';
export { maxDocumentPages, requestedPages } from './openai-endpoints/ocr-request.ts';
export { openaiResponses } from './openai-responses/index.ts';
export { responseStorage } from './openai-responses/stored-responses.ts';
export { isErrorStatus, RequestProblem, UpstreamProblem } from './problems.ts';
export { readReasoningDetails, reasoningDetail } from './reasoning-details.ts';
export {
  type ContentListener,
  type EventHead,
  type EventMerger,
  FieldSearch,
  type ResponseScan,
  type ScannedFields,
  type TranscriptReport,
} from './response-scan.ts';
export {
  asyncResponseFields,
  extraBodyField,
  fieldsIgnoredByModel,
  selectsServiceTier,
  serverToolsField,
  serviceTierField,
  structuralMessageFields,
  unpricedFields,
} from './unpriced-fields.ts';
export { listAt, numberAt, objectAt, parseFrame, textAt } from './upstream-fields.ts';
