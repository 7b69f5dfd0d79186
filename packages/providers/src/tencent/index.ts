import { RequestProblem } from '@headgate/dialects';
import { requestFloatVectors } from '../openai-compatible/float-vectors.ts';
import { toOlderFormat } from '../openai-compatible/older-format.ts';
import { modelListAt, passThrough } from '../openai-compatible/pass-through.ts';
import type { Provider, Upstream } from '../provider.ts';
import { hunyuanChat } from './chat.ts';
import { hunyuanEmbeddings } from './embeddings.ts';
import { tencentModels } from './models.ts';
import { hasSecretKey } from './signed-request.ts';

const cloudHost = 'https://hunyuan.tencentcloudapi.com';
const dialectHost = 'https://api.hunyuan.cloud.tencent.com';

/** OpenAI's dialect has a separate host; a base URL set by the admin is not replaced. */
const address = ({ baseUrl }: Upstream, path: string) => (baseUrl === cloudHost ? dialectHost : baseUrl) + path;

const chat = passThrough('/v1/chat/completions', { address, quirks: { patch: toOlderFormat } });
const embeddings = passThrough('/v1/embeddings', { address, quirks: { patch: requestFloatVectors } });
const list = modelListAt('/v1/models', { address });

/** A multi-part key signs Tencent Cloud requests; any other key uses OpenAI's dialect. */
export const tencent: Provider = {
  baseUrl: cloudHost,
  models: tencentModels,
  chat: (upstream) => (hasSecretKey(upstream) ? hunyuanChat : chat),
  embeddings: (upstream) => (hasSecretKey(upstream) ? hunyuanEmbeddings : embeddings),
  modelList: {
    ...list,
    request(upstream) {
      if (!hasSecretKey(upstream)) return list.request(upstream);
      throw new RequestProblem('key', 'Hunyuan lists models only for a single-part API key');
    },
  },
};
