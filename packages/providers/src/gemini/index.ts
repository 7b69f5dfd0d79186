import { listAt, textAt } from '@headgate/dialects';
import { passThrough } from '../openai-compatible/pass-through.ts';
import type { ModelListCall, Provider, Upstream } from '../provider.ts';
import { chatOf, modelsUrl } from './chat.ts';
import { embeddings } from './embeddings.ts';
import { generateContent } from './generate-content.ts';
import { images } from './images.ts';
import { geminiModels } from './models.ts';

/** Google also supports OpenAI's dialect, at a separate URL. */
const isCompatible = ({ baseUrl }: Upstream) => baseUrl.endsWith('/openai');

const compatibleChat = passThrough('/chat/completions');
const compatibleEmbeddings = passThrough('/embeddings');
const compatibleImages = passThrough('/images/generations');

const modelList: ModelListCall = {
  request: (upstream) =>
    isCompatible(upstream)
      ? { method: 'GET', url: `${upstream.baseUrl}/models`, headers: { authorization: `Bearer ${upstream.key}` } }
      : { method: 'GET', url: `${modelsUrl(upstream)}?pageSize=1000`, headers: { 'x-goog-api-key': upstream.key } },
  read: (body) =>
    [...listAt(body, 'models').flatMap(offered), ...listAt(body, 'data').map((row) => textAt(row, 'id'))].map(
      withoutPath,
    ),
};

const ours = ['generateContent', 'embedContent', 'predict'];

/** Name of a listed model that the gateway supports; models for live audio, video and similar are skipped. */
function offered(row: unknown): readonly string[] {
  const name = textAt(row, 'name');
  const can = listAt(row, 'supportedGenerationMethods');
  return name !== '' && ours.some((method) => can.includes(method)) ? [name] : [];
}

const withoutPath = (name: string) => name.replace(/^models\//, '');

export const gemini: Provider = {
  baseUrl: 'https://generativelanguage.googleapis.com',
  models: geminiModels,
  chat: (upstream) => (isCompatible(upstream) ? compatibleChat : chatOf(upstream)),
  generateContent: (upstream) => (isCompatible(upstream) ? undefined : generateContent),
  embeddings: (upstream) => (isCompatible(upstream) ? compatibleEmbeddings : embeddings),
  images: (upstream) => (isCompatible(upstream) ? compatibleImages : images),
  modelList,
};
