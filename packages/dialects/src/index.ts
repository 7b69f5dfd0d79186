export { anthropicMessages } from './anthropic-messages/index.ts';
export { audioSeconds, maxAudioRate } from './audio-length.ts';
export {
  type AssistantMessage,
  type ChatMessage,
  type SystemMessage,
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
  type ResponseFormat,
  type Tool,
} from './chat/chat-request.ts';
export type {
  ChatChoice,
  ChatDelta,
  ChatResponse,
  Citation,
  FinishReason,
  ToolCall,
  ToolCallDelta,
  Usage,
} from './chat/chat-response.ts';
export type { CacheMarked, ContentPart, FilePart, ImagePart, TextPart } from './chat/content-part.ts';
export { imageUrlsIn, withInlineImages } from './chat/image-urls.ts';
export { DeltaMerger } from './chat/merge-deltas.ts';
export {
  joinedReasoning,
  type ReasoningBlock,
  type ReasoningMaker,
  readTaggedSignature,
  taggedSignature,
} from './chat/reasoning-block.ts';
export { reportChatResponse, reportDelta } from './chat/report-content.ts';
export { deltasOf } from './chat/response-deltas.ts';
export { type UsageClaim, usagePartNames } from './chat/usage-claim.ts';
export { conversationStart, sessionHeaders } from './conversation.ts';
export { type InlineData, readDataUrl } from './data-url.ts';
export type * from './dialect.ts';
export { type ConversationName, dialects } from './dialects.ts';
export { FieldSearch } from './field-search.ts';
export { readCountRequest, writeTokenCount } from './gemini/count-tokens.ts';
export {
  readBatchEmbedContents,
  readEmbedContent,
  writeBatchEmbedContents,
  writeEmbedContent,
} from './gemini/embeddings.ts';
export { gemini } from './gemini/index.ts';
export { type ListedModel, writeModel, writeModelList } from './gemini/model-list.ts';
export { type JsonBounds, JsonBoundsCounter, requestBounds, responseBounds } from './json-bounds.ts';
export * from './json-fields.ts';
export {
  exhaustedLimitMs,
  type LimitHeaders,
  limitHeaderNames,
  openaiLimitHeaders,
  type RemainingLimit,
  type RemainingLimits,
} from './limit-headers.ts';
export { modelField } from './model-field.ts';
export { readEmbed, writeEmbed } from './ollama/embeddings.ts';
export { isFillRequest, readFillRequest, writeFillResponse } from './ollama/fill-in-middle.ts';
export { ollamaChat, ollamaGenerate } from './ollama/index.ts';
export { ollamaVersion, writeShow, writeTags } from './ollama/model-list.ts';
export { checkedFields, otherModelFields, singleFormFields } from './openai-chat/checked-fields.ts';
export { openaiChat } from './openai-chat/index.ts';
export { limitFieldNames, readOutline } from './openai-chat/read-outline.ts';
export { readChatRequest } from './openai-chat/read-request.ts';
export { readUsage as readOpenaiUsage } from './openai-chat/response-scan.ts';
export { responseText, singleMessageBody } from './openai-chat/single-message.ts';
export { writeUsage as writeOpenaiUsage } from './openai-chat/write-usage.ts';
export type * from './openai-endpoints/endpoint-fields.ts';
export { openaiEndpointFields, speechInstructionsField } from './openai-endpoints/endpoints.ts';
export { readFormText } from './openai-endpoints/form-values.ts';
export {
  betterQualities,
  type ImageSettings,
  type ImageTokenUsage,
  imageFields,
  imageTokenUsageOf,
  imageUsageName,
  readImageSettings,
  readImageTokenUsage,
  wantsImageEvents,
} from './openai-endpoints/images.ts';
export { type Ranking, readRanking } from './openai-endpoints/ranking.ts';
export { openaiResponses } from './openai-responses/index.ts';
export { responseStorage } from './openai-responses/stored-responses.ts';
export { parseJson, parseJsonObject } from './parse-json.ts';
export { isErrorStatus, RequestProblem, UpstreamProblem } from './problems.ts';
export { readReasoningDetails, reasoningDetail } from './reasoning-details.ts';
export type * from './response-scan.ts';
export { readRetryAfter } from './retry-after.ts';
export { shortFields } from './short-fields.ts';
export { deferringFields, extraBodyField, serverToolsField, unpricedFields } from './unpriced-fields.ts';
export { unreadFields, unreadMessageFields } from './unread-fields.ts';
export * from './upstream-fields.ts';
export { wholeNumberIn } from './whole-number.ts';
