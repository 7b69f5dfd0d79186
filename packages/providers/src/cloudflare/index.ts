import { listAt, objectAt, textAt } from '@headgate/dialects';
import { bearer, openaiEndpoints, openaiPathsOf, type VendorDialect } from '../openai-compatible/pass-through.ts';
import type { ModelListCall, Provider } from '../provider.ts';
import { accountBaseUrl, modelListUrl } from './address.ts';
import { completions } from './completions.ts';
import { cloudflareModels } from './models.ts';

const dialect: VendorDialect = {
  paths: openaiPathsOf('chat', 'embeddings'),
  address: (upstream, path) => accountBaseUrl(upstream) + path,
};

const modelList: ModelListCall = {
  request: (upstream) => ({ method: 'GET', url: modelListUrl(upstream), headers: bearer(upstream) }),
  read: (body) => listAt(body, 'result').flatMap(offered),
};

/** Name of a listed model for text or embeddings; models for images, audio and translation are skipped. */
function offered(row: unknown): readonly string[] {
  const isOurs = /^text (generation|embeddings)$/i.test(textAt(objectAt(row, 'task'), 'name'));
  return isOurs && textAt(row, 'name') !== '' ? [textAt(row, 'name')] : [];
}

export const cloudflare: Provider = {
  baseUrl: 'https://api.cloudflare.com',
  models: cloudflareModels,
  ...openaiEndpoints(dialect),
  completions,
  modelList,
};
