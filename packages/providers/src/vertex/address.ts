import { parseJsonObject, textAt, UpstreamProblem } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import type { JsonObject, Upstream, UpstreamRequest } from '../provider.ts';

type Version = 'v1' | 'v1beta1';

/** A request to a publisher's model. */
export function modelRequest(upstream: Upstream, model: PublishedModel, content: unknown): UpstreamRequest {
  const account = readServiceAccount(upstream);
  const path = `publishers/${model.publisher}/models/${encodeURIComponent(upstream.model).replaceAll('%40', '@')}`;
  return {
    method: 'POST',
    url: `${locationUrl(upstream, account, model.version)}/${path}:${model.action}`,
    headers: { 'content-type': 'application/json', ...accessHeaders(upstream, account) },
    body: jsonBody(content, upstream),
  };
}

/** URL of the project's location; an API key alone does not need one. */
export function locationUrl(upstream: Upstream, account: Account, version: Version): string {
  const base = `${regionBaseUrl(upstream, account)}/${version}`;
  if (account.project === '') return base;
  return `${base}/projects/${encodeURIComponent(account.project)}/locations/${account.region}`;
}

export const regionBaseUrl = ({ baseUrl }: Upstream, { region }: Account) => baseUrl || `https://${hostOf(region)}`;

/** Host name of a region; there are three kinds of locations. */
function hostOf(region: string): string {
  if (region === 'global') return 'aiplatform.googleapis.com';
  return region === 'us' || region === 'eu'
    ? `aiplatform.${region}.rep.googleapis.com`
    : `${region}-aiplatform.googleapis.com`;
}

export function accessHeaders({ credential }: Upstream, { secret }: Account): Record<string, string> {
  if ('apiKey' in secret) return { 'x-goog-api-key': secret.apiKey };
  const quotaProject = textAt(secret.json, 'quota_project_id');
  return {
    authorization: `Bearer ${credential}`,
    ...(quotaProject !== '' && { 'x-goog-user-project': quotaProject }),
  };
}

interface PublishedModel {
  readonly publisher: 'google' | 'anthropic';
  readonly version: Version;
  readonly action: string;
}

/** Account of a channel: credentials and location, with an account JSON or an API key. */
interface Account {
  readonly region: string;
  /** Empty with only an API key, which implies the project. */
  readonly project: string;
  readonly secret: { readonly json: JsonObject } | { readonly apiKey: string };
}

/** Reads the account from the channel's fields or its key: `region|project|JSON`, or the JSON or an API key alone. */
export function readServiceAccount({ key, config }: Upstream): Account {
  const [, regionPart = '', projectPart = '', secretPart = key] = /^([^|{]*)\|([^|{]*)\|(.*)$/s.exec(key) ?? [];
  const secret = secretOf((config['vertex_ai_adc'] || secretPart).trim());
  const region = (config['region'] || regionPart).trim() || 'global';
  const project =
    (config['vertex_ai_project_id'] || projectPart).trim() ||
    ('json' in secret ? textAt(secret.json, 'project_id') : '');
  // Region and project become parts of a URL.
  if (!/^[a-z0-9-]+$/.test(region)) throw new UpstreamProblem(401, "The channel's region is invalid");
  if (project === '' && 'json' in secret) throw new UpstreamProblem(401, "The channel's project is missing");
  return { region, project, secret };
}

function secretOf(text: string): Account['secret'] {
  if (text === '') throw new UpstreamProblem(401, "The channel's credentials are missing");
  if (!text.startsWith('{')) return { apiKey: text };
  const json = parseJsonObject(text);
  if (json) return { json };
  throw new UpstreamProblem(401, "The channel's credentials must be the JSON file issued by Google");
}
