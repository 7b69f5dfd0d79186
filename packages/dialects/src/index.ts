export { anthropicMessages } from './anthropic-messages/index.ts';
export { audioSeconds, maxAudioRate } from './audio-length.ts';
export {
  type AssistantMessage,
  type CacheMarked,
  type ChatMessage,
  type ContentPart,
  type FilePart,
  type ImagePart,
  type SystemMessage,
  type TextPart,
  type ToolMessage,
  textOfParts,
  type UserMessage,
} from './chat/chat-message.ts';
export {
  type ChatDemand,
  type ChatExtras,
  type ChatField,
  type ChatHint,
  type ChatRequest,
  chatDemands,
  chatHints,
  demandsIn,
  enablesReasoning,
  type GoogleExtras,
  hintsIn,
  imageUrlsIn,
  type ResponseFormat,
  type Tool,
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
  type Usage,
  type UsageClaim,
  usagePartNames,
} from './chat/chat-response.ts';
export { mediaClaimOf, mediaUsageOf } from './chat/media-usage.ts';
export { DeltaMerger, deltasOf, reportChatResponse, reportDelta } from './chat/merge-deltas.ts';
export {
  joinedReasoning,
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
  booleanOf,
  isObject,
  type JsonObject,
  listOf,
  modelField,
  numberOf,
  objectOf,
  optionalText,
  parseJson,
  parseJsonObject,
  requiredText,
  shortFields,
  wholeNumberIn,
} from './json-fields.ts';
export {
  exhaustedLimitMs,
  type LimitHeaders,
  limitHeaderNames,
  openaiLimitHeaders,
  type RemainingLimit,
  type RemainingLimits,
  readRetryAfter,
} from './limit-headers.ts';
export { isFillRequest, readInfillRequest, writeFillResponse } from './ollama/generate-request.ts';
export { ollamaChat, ollamaGenerate, readEmbed, writeEmbed } from './ollama/index.ts';
export { ollamaVersion, writeShow, writeTags } from './ollama/model-list.ts';
export { openaiChat } from './openai-chat/index.ts';
export { limitFieldNames, readOutline } from './openai-chat/read-outline.ts';
export {
  checkedFields,
  otherModelFields,
  readChatRequest,
  responseText,
  singleFormFields,
  singleMessageBody,
} from './openai-chat/read-request.ts';
export { readUsage as readOpenaiUsage } from './openai-chat/response-scan.ts';
export { writeUsage as writeOpenaiUsage } from './openai-chat/write-response.ts';
export type { EndpointFields, RepeatedText } from './openai-endpoints/endpoint-fields.ts';
export {
  betterQualities,
  type ImageSettings,
  type ImageTokenUsage,
  imageFields,
  imageTokenUsageOf,
  imageUsageName,
  openaiEndpointFields,
  type Ranking,
  readFormText,
  readImageSettings,
  readImageTokenUsage,
  readRanking,
  speechInstructionsField,
  wantsImageEvents,
} from './openai-endpoints/endpoints.ts';
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
  deferringFields,
  extraBodyField,
  selectsServiceTier,
  serverToolsField,
  serviceTierField,
  unpricedFields,
  unreadFields,
  unreadMessageFields,
} from './unpriced-fields.ts';
export { listAt, numberAt, objectAt, parseFrame, textAt } from './upstream-fields.ts';
