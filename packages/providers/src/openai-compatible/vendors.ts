import type { OpenAiCompatible } from '@headgate/contract';
import { numberAt, objectAt, textAt, UpstreamProblem } from '@headgate/dialects';
import type { BalanceCall, JsonObject, Provider, Upstream } from '../provider.ts';
import { textDocuments } from '../rerank-format.ts';
import {
  aiProxyBalance,
  creditGrants,
  deepSeekBalance,
  moonshotBalance,
  openaiBalance,
  openaiSbBalance,
  openRouterBalance,
  siliconFlowBalance,
} from './balances.ts';
import {
  baichuanModels,
  deepSeekModels,
  doubaoModels,
  groqModels,
  lingYiWanWuModels,
  miniMaxModels,
  mistralModels,
  moonshotModels,
  novitaModels,
  openaiModels,
  openRouterModels,
  siliconFlowModels,
  stepFunModels,
  togetherModels,
  xaiModels,
  zhinao360Models,
} from './models.ts';
import { bearer, passThrough, pickOpenaiPaths, type VendorDialect, vendor } from './pass-through.ts';
import { compactPass, responsesPass, storedResponsesPass } from './responses-pass.ts';
import {
  dropFields,
  dropMoonshotFields,
  extraReasoning,
  renameLimitField,
  toLegacyFormat,
  withSystemRole,
} from './vendor-fields.ts';

/** HTTP statuses by MiniMax error number; any other number is a server error. */
const statuses: Readonly<Record<number, number>> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2049: 401,
  2056: 402,
};

/** MiniMax always returns 200 and reports the real status in the body. */
const miniMaxHiddenError = {
  field: 'base_resp',
  read(body: JsonObject): UpstreamProblem | undefined {
    const reported = objectAt(body, 'base_resp');
    const code = numberAt(reported, 'status_code') ?? 0;
    if (code === 0) return undefined;
    return new UpstreamProblem(
      statuses[code] ?? 502,
      textAt(reported, 'status_msg') || `The upstream returned code ${code}`,
      String(code),
    );
  },
};

const emptyPurse = 'exceeded_current_quota_error';

/** Moonshot returns 429 for an account without credit, but waiting does not help. */
function readMoonshotProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(body, 'error');
  if (textAt(error, 'type') !== emptyPurse) return undefined;
  return new UpstreamProblem(402, textAt(error, 'message') || 'The upstream account has no credit left', emptyPurse);
}

const openaiQuirks = { patch: renameLimitField };

/** OpenAI's own models, at OpenAI or a reseller. */
const openaiLike = (baseUrl: string, balance?: BalanceCall, dialect: VendorDialect = {}): Provider =>
  vendor(baseUrl, openaiModels, { ...dialect, quirks: openaiQuirks, ...(balance && { balance }) });

/** Cloudflare's gateway puts the version before the provider. */
const withoutVersionAtGateway = ({ baseUrl }: Upstream, path: string) =>
  baseUrl + (baseUrl.startsWith('https://gateway.ai.cloudflare.com/') ? path.replace(/^\/v1/, '') : path);

/**
 * Sends the application name to OpenRouter, which ranks applications; an admin may set another name in the channel's
 * config.
 */
const namedApplication = (upstream: Upstream) => ({
  ...bearer(upstream),
  ...(upstream.config['referer'] && { 'http-referer': upstream.config['referer'] }),
  'x-title': upstream.config['title'] || 'Headgate',
});

/** Doubao's bots have a separate chat endpoint. */
const botsApart = ({ baseUrl, model }: Upstream, path: string) =>
  baseUrl + (model.startsWith('bot-') ? path.replace('/v3/chat/', '/v3/bots/chat/') : path);

/** Renames or removes fields for Mistral, which rejects unknown ones. */
const adaptForMistral = (body: JsonObject): JsonObject => ({
  ...toLegacyFormat(body),
  ...(body['seed'] != null && { seed: undefined, random_seed: body['seed'] }),
});

/** Not an OpenAI endpoint, but common among compatible vendors. */
const rerank = passThrough('/v1/rerank');
/** Mistral's endpoint, which gateways offer in the same format. */
const ocrPath = '/v1/ocr';
const rerankTexts = passThrough('/v1/rerank', { quirks: { patch: textDocuments } });

const older = { patch: toLegacyFormat };
const olderWithTopK = { ...older, extraFeatures: { hints: ['top_k', 'min_p'] } } as const;
const onlySystem = { patch: withSystemRole };
const withThinkingSwitch = {
  ...older,
  extraFeatures: { ...olderWithTopK.extraFeatures, reasoningField: 'enable_thinking' },
} as const;

const every = /^/;
/** Models without schema support: Groq returns 400 for all but these. */
const groqUnsupportedFormats = { json_schema: /^(?!openai\/gpt-oss|moonshotai\/kimi-k2|meta-llama\/llama-4)/ };
/** MiniMax ignores response formats for all but its first model with schema support. */
const notText01 = /^(?!MiniMax-Text-01)/;
const miniMaxUnsupportedFormats = { json_schema: notText01, json_object: notText01 };

/** Provider of a channel type whose row only has a base URL and models. */
export const compatibleProvider = ({ baseUrl, models }: OpenAiCompatible): Provider =>
  models ? vendor(baseUrl, models) : openaiLike(baseUrl);

const atOpenai: VendorDialect = { address: withoutVersionAtGateway };

export const openai: Provider = {
  ...openaiLike('https://api.openai.com', openaiBalance, atOpenai),
  responses: storedResponsesPass(atOpenai),
  compact: compactPass(atOpenai),
};
export const closeAi = openaiLike('https://api.closeai-proxy.xyz', creditGrants('total_available'));
export const openaiSb = openaiLike('https://api.openai-sb.com', openaiSbBalance);
export const custom: Provider = { ...openaiLike('', openaiBalance), rerank, ocr: passThrough(ocrPath) };
export const aiProxy = openaiLike('https://api.aiproxy.io', aiProxyBalance);
export const api2gpt = openaiLike('https://api.api2gpt.com', creditGrants('total_remaining'));
export const aigc2d = openaiLike('https://api.aigc2d.com', creditGrants('total_available'));
export const ruyi: Provider = { ...vendor('', []), rerank };

// These fields select other models, which were neither allowed nor priced.
const openRouterLeavesOut = dropFields('models', 'route', 'preset');

export const openRouter: Provider = {
  ...vendor('https://openrouter.ai/api', openRouterModels, {
    headers: namedApplication,
    paths: pickOpenaiPaths('chat', 'completions', 'embeddings', 'speech', 'transcriptions'),
    quirks: {
      drops: openRouterLeavesOut,
      extraFeatures: {
        hints: ['top_k', 'min_p'],
        efforts: ['none', 'minimal', 'xhigh'],
        reasoningField: 'reasoning',
        thoughtsField: 'reasoning_details',
        takesCacheMarks: true,
      },
    },
    balance: openRouterBalance,
  }),
  responses: responsesPass({ headers: namedApplication }, openRouterLeavesOut),
  rerank: passThrough('/v1/rerank', { headers: namedApplication, quirks: { drops: openRouterLeavesOut } }),
  ranksBySearch: true,
};
export const fastGpt = vendor('https://fastgpt.run/api/openapi', openaiModels, {
  paths: pickOpenaiPaths('chat'),
  modelsPath: '',
});
export const zhinao360 = vendor('https://ai.360.cn', zhinao360Models, {
  paths: pickOpenaiPaths('chat', 'embeddings'),
  quirks: older,
});
export const moonshot = vendor('https://api.moonshot.cn', moonshotModels, {
  paths: pickOpenaiPaths('chat'),
  quirks: {
    ...onlySystem,
    drops: dropMoonshotFields,
    readProblem: readMoonshotProblem,
    extraFeatures: { reasoningField: 'thinking', thoughtsField: 'reasoning_content' },
  },
  balance: moonshotBalance,
});
export const baichuan = vendor('https://api.baichuan-ai.com', baichuanModels, {
  paths: pickOpenaiPaths('chat', 'embeddings'),
  modelsPath: '',
  quirks: older,
});
export const miniMax = vendor('https://api.minimax.chat', miniMaxModels, {
  paths: { chat: '/v1/text/chatcompletion_v2' },
  quirks: { ...onlySystem, hiddenError: miniMaxHiddenError, lacks: miniMaxUnsupportedFormats },
});
export const mistral = vendor('https://api.mistral.ai', mistralModels, {
  paths: { ...pickOpenaiPaths('chat', 'embeddings', 'moderations', 'transcriptions'), ocr: ocrPath },
  // Reports usage at the end of every stream, even if it was not requested.
  quirks: {
    patch: adaptForMistral,
    drops: dropFields('user', 'logit_bias', 'top_k', 'min_p'),
    rejectsStreamOptions: true,
  },
});
export const groq = vendor('https://api.groq.com/openai', groqModels, {
  paths: pickOpenaiPaths('chat', 'speech', 'transcriptions', 'translations'),
  quirks: { ...onlySystem, drops: dropFields('logit_bias'), lacks: groqUnsupportedFormats },
});
export const lingYiWanWu = vendor('https://api.lingyiwanwu.com', lingYiWanWuModels, {
  paths: pickOpenaiPaths('chat'),
  quirks: older,
});
export const stepFun = vendor('https://api.stepfun.com', stepFunModels, {
  paths: pickOpenaiPaths('chat', 'images', 'speech', 'transcriptions'),
  quirks: older,
});
export const deepSeek = vendor('https://api.deepseek.com', deepSeekModels, {
  paths: { chat: '/v1/chat/completions', completions: '/beta/completions' },
  modelsPath: '/models',
  quirks: {
    ...older,
    lacks: { json_schema: every },
    extraFeatures: { efforts: ['max'], reasoningField: 'thinking', thoughtsField: 'reasoning_content' },
  },
  balance: deepSeekBalance,
});
export const together: Provider = {
  ...vendor('https://api.together.xyz', togetherModels, {
    paths: pickOpenaiPaths('chat', 'completions', 'embeddings', 'images', 'speech', 'transcriptions', 'translations'),
    quirks: olderWithTopK,
  }),
  rerank,
};
export const doubao: Provider = {
  ...vendor('https://ark.cn-beijing.volces.com', doubaoModels, {
    paths: {
      chat: '/api/v3/chat/completions',
      embeddings: '/api/v3/embeddings',
      images: '/api/v3/images/generations',
    },
    modelsPath: '/api/v3/models',
    address: botsApart,
    quirks: { ...onlySystem, extraFeatures: { reasoningField: 'thinking' } },
  }),
  reasoningBeyondLimit: extraReasoning(/seed|thinking|-r1/i),
};
/** Novita's rerank has another version in its path. */
const novitaRanking = ({ baseUrl }: Upstream, path: string) => baseUrl.replace(/\/v3\/openai$/, '/openai/v1') + path;

export const novita: Provider = {
  ...vendor('https://api.novita.ai/v3/openai', novitaModels, {
    paths: { chat: '/chat/completions', completions: '/completions', embeddings: '/embeddings' },
    modelsPath: '/models',
    quirks: withThinkingSwitch,
  }),
  rerank: passThrough('/rerank', { address: novitaRanking, quirks: { patch: textDocuments } }),
};
export const siliconFlow: Provider = {
  ...vendor('https://api.siliconflow.cn', siliconFlowModels, {
    paths: pickOpenaiPaths('chat', 'embeddings', 'images', 'speech', 'transcriptions'),
    quirks: withThinkingSwitch,
    balance: siliconFlowBalance,
  }),
  rerank: rerankTexts,
};
export const xai: Provider = {
  ...vendor('https://api.x.ai', xaiModels, {
    paths: pickOpenaiPaths('chat', 'completions', 'images'),
    quirks: onlySystem,
  }),
  responses: storedResponsesPass(),
  compact: compactPass(),
};
