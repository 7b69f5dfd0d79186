import { type ChannelTypeId, type OpenAiCompatibleId, openaiCompatibleTypes } from '@headgate/contract';
import type { ReasoningSetting } from '@headgate/dialects';
import { aiproxyLibrary } from './aiproxy-library/index.ts';
import { ali } from './ali/index.ts';
import { anthropic } from './anthropic/index.ts';
import { messagesReasoning } from './anthropic/pass-reasoning.ts';
import { awsBedrock } from './aws-bedrock/index.ts';
import { azure } from './azure/index.ts';
import { baidu } from './baidu/index.ts';
import { cloudflare } from './cloudflare/index.ts';
import { cohere } from './cohere/index.ts';
import { coze } from './coze/index.ts';
import { deepl } from './deepl/index.ts';
import { gemini } from './gemini/index.ts';
import { generateReasoning } from './gemini/pass-reasoning.ts';
import { ollama } from './ollama/index.ts';
import { chatReasoning, responsesReasoning } from './openai-compatible/reasoning-fields.ts';
import {
  aigc2d,
  aiProxy,
  api2gpt,
  baichuan,
  closeAi,
  compatibleProvider,
  custom,
  deepSeek,
  doubao,
  fastGpt,
  groq,
  lingYiWanWu,
  miniMax,
  mistral,
  moonshot,
  novita,
  openai,
  openaiSb,
  openRouter,
  ruyi,
  siliconFlow,
  stepFun,
  together,
  xai,
  zhinao360,
} from './openai-compatible/vendors.ts';
import { palm } from './palm/index.ts';
import type { EndpointName, ExtraFeatures, JsonObject, Provider } from './provider.ts';
import { proxy } from './proxy/index.ts';
import { spark } from './spark/index.ts';
import { tencent } from './tencent/index.ts';
import { vertex } from './vertex/index.ts';
import { zhipu } from './zhipu/index.ts';

export { toChatAdaptor } from './openai-compatible/chat-adaptor.ts';

/** One line per channel type that has code; a missing line is a compile error. */
const coded: Readonly<Record<Exclude<ChannelTypeId, OpenAiCompatibleId>, Provider>> = {
  1: openai,
  3: azure,
  4: closeAi,
  5: openaiSb,
  8: custom,
  10: aiProxy,
  11: palm,
  12: api2gpt,
  13: aigc2d,
  14: anthropic,
  15: baidu,
  16: zhipu,
  17: ali,
  18: spark,
  19: zhinao360,
  20: openRouter,
  21: aiproxyLibrary,
  22: fastGpt,
  23: tencent,
  24: gemini,
  25: moonshot,
  26: baichuan,
  27: miniMax,
  28: mistral,
  29: groq,
  30: ollama,
  31: lingYiWanWu,
  32: stepFun,
  33: awsBedrock,
  34: coze,
  35: cohere,
  36: deepSeek,
  37: cloudflare,
  38: deepl,
  39: together,
  40: doubao,
  41: novita,
  42: vertex,
  43: proxy,
  44: siliconFlow,
  45: xai,
  46: ruyi,
};

const compatibles = Object.fromEntries(
  openaiCompatibleTypes.map(({ id, openaiCompatible }) => [id, compatibleProvider(openaiCompatible)]),
) as Record<OpenAiCompatibleId, Provider>;

export const providers: Readonly<Record<ChannelTypeId, Provider>> = { ...coded, ...compatibles };

type WriteReasoning = (
  setting: ReasoningSetting,
  body: JsonObject,
  model: string,
  features?: ExtraFeatures,
) => JsonObject;

/** Endpoints that are passed through. Other endpoints have no reasoning settings. */
const reasoningWriters: Partial<Readonly<Record<EndpointName, WriteReasoning>>> = {
  chat: chatReasoning,
  responses: responsesReasoning,
  messages: messagesReasoning,
  generateContent: generateReasoning,
};

/**
 * Fields to set in a request that is passed through and whose model name has a reasoning suffix; a field set to
 * undefined is removed. Throws a RequestProblem if the model does not support it.
 */
export const reasoningFields = (
  endpoint: EndpointName,
  setting: ReasoningSetting,
  body: JsonObject,
  { model, features }: { readonly model: string; readonly features?: ExtraFeatures | undefined },
): JsonObject => reasoningWriters[endpoint]?.(setting, body, model, features) ?? {};
