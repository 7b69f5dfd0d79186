import { openaiModels } from '../openai-compatible/models.ts';
import {
  modelListAt,
  openaiEndpoints,
  passThrough,
  pickOpenaiPaths,
  type VendorDialect,
} from '../openai-compatible/pass-through.ts';
import { compactPass, storedResponsesPass } from '../openai-compatible/responses-pass.ts';
import { renameLimitField } from '../openai-compatible/vendor-fields.ts';
import type { Provider, Upstream } from '../provider.ts';

const defaultVersion = '2024-03-01-preview';

/** First API version that reports usage in streams. */
const streamOptionsSince = '2024-09-01';

const versionOf = ({ config, other }: Upstream) => config['api_version'] || other || defaultVersion;

/** True if the channel uses Azure's API without dated versions, judging by its version name or base URL. */
const isUnversioned = (upstream: Upstream) => versionOf(upstream) === 'v1' || upstream.baseUrl.endsWith('/openai/v1');

const supportsStreamOptions = (upstream: Upstream) =>
  isUnversioned(upstream) || versionOf(upstream).slice(0, streamOptionsSince.length) >= streamOptionsSince;

/** Azure's URL for an OpenAI path. */
function addressOf(upstream: Upstream, path: string): string {
  const { baseUrl } = upstream;
  if (isUnversioned(upstream)) return `${baseUrl.replace(/\/openai\/v1$/, '')}/openai${path}`;
  const version = `?api-version=${encodeURIComponent(versionOf(upstream))}`;
  const operation = path.replace('/v1', '');
  if (operation === '/models') return `${baseUrl}/openai/models${version}`;
  const deployments = baseUrl.startsWith('https://gateway.ai.cloudflare.com/') ? '' : '/openai/deployments';
  return `${baseUrl}${deployments}/${encodeURIComponent(deploymentOf(upstream.model, operation))}${operation}${version}`;
}

/**
 * Admins name deployments after models, without dots, because Azure once rejected them; newer resource types keep the
 * dots.
 */
const deploymentOf = (model: string, operation: string) =>
  /^\/(images|audio)\//.test(operation) ? model : model.replaceAll('.', '');

const dialect: VendorDialect = {
  paths: pickOpenaiPaths('embeddings', 'images', 'imageEdits', 'speech', 'transcriptions', 'translations'),
  address: addressOf,
  headers: ({ key }) => ({ 'api-key': key }),
};

/** API versions that do not report usage in streams reject the field that requests it. */
function byVersion(path: string) {
  const quirks = { patch: renameLimitField };
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
  // Dated versions have the endpoint only from a certain version on, and at another path, so requests are translated.
  responses: (upstream) => (isUnversioned(upstream) ? responses : undefined),
  compact: (upstream) => (isUnversioned(upstream) ? compact : undefined),
  modelList: modelListAt('/v1/models', dialect),
};
