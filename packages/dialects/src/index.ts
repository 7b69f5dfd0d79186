export type * from './answer-scan.ts';
export { anthropicMessages } from './anthropic-messages/index.ts';
export { audioSeconds, mostAudioRate } from './audio-length.ts';
export { deltasOf } from './chat/answer-deltas.ts';
export type {
  ChatAnswer,
  ChatChoice,
  ChatDelta,
  Citation,
  FinishReason,
  ToolCall,
  ToolCallDelta,
  Usage,
} from './chat/chat-answer.ts';
export {
  type AssistantMessage,
  type ChatMessage,
  type SystemMessage,
  type ToolMessage,
  textOfParts,
  type UserMessage,
} from './chat/chat-message.ts';
export {
  asksToReason,
  type ChatDemand,
  type ChatExtras,
  type ChatField,
  type ChatHint,
  type ChatRequest,
  chatDemands,
  chatHints,
  demandsIn,
  type GoogleExtras,
  hintsIn,
  type ResponseFormat,
  type Tool,
} from './chat/chat-request.ts';
export type { CacheMarked, ContentPart, FilePart, ImagePart, TextPart } from './chat/content-part.ts';
export { AnswerGatherer } from './chat/gather-answer.ts';
export { hearAnswer, hearDelta } from './chat/hear-answer.ts';
export { imageUrlsIn, withInlineImages } from './chat/pointed-images.ts';
export { readSeal, type Thought, type ThoughtMaker, taggedSeal, thoughtsText } from './chat/thought.ts';
export { claimNames, type UsageClaim } from './chat/usage-claim.ts';
export { openingOf, sessionHeaders } from './conversation.ts';
export { type InlineData, readDataUrl } from './data-url.ts';
export type * from './dialect.ts';
export { type ConversationName, dialects } from './dialects.ts';
export { readCountRequest, writeTokenCount } from './gemini/count-tokens.ts';
export {
  readBatchEmbedContents,
  readEmbedContent,
  writeBatchEmbedContents,
  writeEmbedContent,
} from './gemini/embeddings.ts';
export { gemini } from './gemini/index.ts';
export { type ListedModel, writeModel, writeModelList } from './gemini/model-list.ts';
export { answerBounds, type JsonBounds, JsonTally, requestBounds } from './json-bounds.ts';
export * from './json-fields.ts';
export {
  type LimitHeaders,
  type LimitLeft,
  type LimitStanding,
  limitHeaderNames,
  openaiLimitHeaders,
  saidRestMs,
} from './limit-headers.ts';
export { modelField } from './model-field.ts';
export { readEmbed, writeEmbed } from './ollama/embeddings.ts';
export { asksToFill, readFill, writeFilled } from './ollama/fill-request.ts';
export { ollamaChat, ollamaGenerate } from './ollama/index.ts';
export { ollamaVersion, writeShow, writeTags } from './ollama/model-list.ts';
export { readUsage as readOpenaiUsage } from './openai-chat/answer-scan.ts';
export { openaiChat } from './openai-chat/index.ts';
export { judgedFields, otherModelsFields, singleFormFields } from './openai-chat/judged-fields.ts';
export { readAnswerText, writeQuestion } from './openai-chat/question.ts';
export { limitNames, readOutline } from './openai-chat/read-outline.ts';
export { readChatRequest } from './openai-chat/read-request.ts';
export { writeUsage as writeOpenaiUsage } from './openai-chat/write-usage.ts';
export type * from './openai-endpoints/endpoint-fields.ts';
export { openaiEndpointFields, speechInstructionsField } from './openai-endpoints/endpoints.ts';
export { readFormText } from './openai-endpoints/form-values.ts';
export {
  betterQualities,
  type PictureUsage,
  type PictureWish,
  pictureClaimName,
  pictureFields,
  pictureUsageOf,
  readPictureUsage,
  readPictureWish,
  wantsPictureEvents,
} from './openai-endpoints/pictures.ts';
export { type Ranking, readRanking } from './openai-endpoints/ranking.ts';
export { openaiResponses } from './openai-responses/index.ts';
export { responseStorage } from './openai-responses/stored-answers.ts';
export { parseJson, parseJsonObject } from './parse-json.ts';
export { isErrorStatus, RequestProblem, UpstreamProblem } from './problems.ts';
export { readReasoningDetails, reasoningDetail } from './reasoning-details.ts';
export { readRetryAfter } from './retry-after.ts';
export { shortFields } from './short-fields.ts';
export { SoughtField } from './sought-field.ts';
export { deferringFields, packedFields, serverToolsField, unpricedFields } from './unpriced-fields.ts';
export { fieldsNotRead, namesNotSaid } from './unread-fields.ts';
export * from './upstream-fields.ts';
export { wholeNumberIn } from './whole-number.ts';
