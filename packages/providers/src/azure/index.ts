import { openaiModels } from '../openai-compatible/models.ts';
import { withNewLimitName } from '../openai-compatible/output-limit.ts';
import {
  modelListAt,
  openaiEndpoints,
  openaiPathsOf,
  passThrough,
  type VendorDialect,
} from '../openai-compatible/pass-through.ts';
import { compactPass, storedResponsesPass } from '../openai-compatible/responses-pass.ts';
import type { Provider, Upstream } from '../provider.ts';
import { addressOf, isUnversioned, supportsStreamOptions } from './address.ts';

const dialect: VendorDialect = {
  paths: openaiPathsOf('embeddings', 'images', 'imageEdits', 'speech', 'transcriptions', 'translations'),
  address: addressOf,
  headers: ({ key }) => ({ 'api-key': key }),
};

/** API versions before usage in streams reject the field that requests it. */
function byVersion(path: string) {
  const quirks = { patch: withNewLimitName };
  const current = passThrough(path, { ...dialect, quirks });
  const old = passThrough(path, { ...dialect, quirks: { ...quirks, rejectsStreamOptions: true } });
  return (upstream: Upstream) => (supportsStreamOptions(upstream) ? current : old);
}

const responses = storedResponsesPass(dialect);
const compact = compactPass(dialect);

export const azure: Provider = {
  baseUrl: '',
  models: openaiModels,
  ...openaiEndpoints(dialect),
  chat: byVersion('/v1/chat/completions'),
  completions: byVersion('/v1/completions'),
  // Dated versions have the endpoint only from some version on and at another path, so requests are translated.
  responses: (upstream) => (isUnversioned(upstream) ? responses : undefined),
  compact: (upstream) => (isUnversioned(upstream) ? compact : undefined),
  modelList: modelListAt('/v1/models', dialect),
};
