import type { Upstream } from '../provider.ts';

const defaultVersion = '2024-03-01-preview';

/** First API version that reports usage in streams. */
const streamOptionsSince = '2024-09-01';

const versionOf = ({ config, other }: Upstream) => config['api_version'] || other || defaultVersion;

/** Whether the channel uses Azure's API without dated versions, by its version name or base URL. */
export const isUnversioned = (upstream: Upstream) =>
  versionOf(upstream) === 'v1' || upstream.baseUrl.endsWith('/openai/v1');

export const supportsStreamOptions = (upstream: Upstream) =>
  isUnversioned(upstream) || versionOf(upstream).slice(0, streamOptionsSince.length) >= streamOptionsSince;

/** Azure's URL for an OpenAI path. */
export function addressOf(upstream: Upstream, path: string): string {
  const { baseUrl } = upstream;
  if (isUnversioned(upstream)) return `${baseUrl.replace(/\/openai\/v1$/, '')}/openai${path}`;
  const version = `?api-version=${encodeURIComponent(versionOf(upstream))}`;
  const place = path.replace('/v1', '');
  if (place === '/models') return `${baseUrl}/openai/models${version}`;
  const deployments = baseUrl.startsWith('https://gateway.ai.cloudflare.com/') ? '' : '/openai/deployments';
  return `${baseUrl}${deployments}/${encodeURIComponent(deploymentOf(upstream.model, place))}${place}${version}`;
}

/**
 * Admins name deployments after models, without dots, because Azure once rejected them; newer resource types keep the
 * dots.
 */
const deploymentOf = (model: string, place: string) =>
  /^\/(images|audio)\//.test(place) ? model : model.replaceAll('.', '');
