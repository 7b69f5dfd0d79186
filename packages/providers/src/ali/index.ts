import { extraReasoning } from '../openai-compatible/extra-reasoning.ts';
import { requestFloatVectors } from '../openai-compatible/float-vectors.ts';
import { toOlderFormat } from '../openai-compatible/older-format.ts';
import { modelListAt, passThrough } from '../openai-compatible/pass-through.ts';
import type { JsonObject, Provider, Upstream } from '../provider.ts';
import { generation, pluginOf } from './chat.ts';
import { aliRanges } from './generation-request.ts';
import { aliImages } from './images.ts';
import { aliModels } from './models.ts';
import { readAliProblem } from './problem.ts';
import { aliRerank } from './rerank.ts';
import { splitSearchSuffix } from './search-suffix.ts';

function adaptChat(body: JsonObject, upstream: Upstream): JsonObject {
  const effort = body['reasoning_effort'];
  const { model, enable_search } = splitSearchSuffix(upstream.model);
  return {
    ...toOlderFormat(body),
    ...(enable_search && { model, enable_search }),
    ...(typeof effort === 'string' &&
      body['enable_thinking'] === undefined && { enable_thinking: effort !== 'none' && effort !== 'minimal' }),
  };
}

const compatible = '/compatible-mode/v1';
const chat = passThrough(`${compatible}/chat/completions`, {
  quirks: {
    patch: adaptChat,
    ranges: aliRanges,
    readProblem: readAliProblem,
    extraFeatures: { hints: ['top_k'], efforts: ['none', 'minimal'] },
  },
});

export const ali: Provider = {
  baseUrl: 'https://dashscope.aliyuncs.com',
  models: aliModels,
  reasoningBeyondLimit: extraReasoning(/qwq|qvq|qwen3|thinking|-r1/i),
  chat: (upstream) => (pluginOf(upstream) === '' ? chat : generation),
  embeddings: passThrough(`${compatible}/embeddings`, {
    quirks: { patch: requestFloatVectors, readProblem: readAliProblem },
  }),
  rerank: aliRerank,
  images: aliImages,
  modelList: modelListAt(`${compatible}/models`),
};
