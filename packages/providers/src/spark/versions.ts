import type { Upstream } from '../provider.ts';

/** Domain names of the models in the API. */
const domains: Readonly<Record<string, string>> = {
  'Spark-Lite': 'lite',
  'Spark-Pro': 'generalv3',
  'Spark-Pro-128K': 'pro-128k',
  'Spark-Max': 'generalv3.5',
  'Spark-Max-32K': 'max-32k',
  'Spark-4.0-Ultra': '4.0Ultra',
};

const versions: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
};

/** API version set on a channel; empty when there is none. */
export const versionOf = ({ config, other }: Upstream) => config['api_version'] || other;

/** Domain of a model by its name, otherwise by the version in the name; an API name is used unchanged. */
export function domainOf({ model }: Upstream): string {
  if (Object.hasOwn(domains, model)) return String(domains[model]);
  const [, version = ''] = /-(v\d\.\d)$/.exec(model) ?? [];
  return Object.hasOwn(versions, version) ? String(versions[version]) : model;
}

/** Domain and path of a WebSocket; an unknown model uses the channel's version. */
export function socketTarget(upstream: Upstream): { readonly domain: string; readonly path: string } {
  const domain = domainOf(upstream);
  if (domain === 'pro-128k' || domain === 'max-32k') return { domain, path: `/chat/${domain}` };
  const known = Object.entries(versions).find(([, name]) => name === domain);
  if (known) return { domain, path: `/${known[0]}/chat` };
  const version = `v${versionOf(upstream).replace(/^v/, '')}`;
  return { domain: versions[version] ?? `general${version}`, path: `/${encodeURIComponent(version)}/chat` };
}
