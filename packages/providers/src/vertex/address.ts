import { textAt } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import type { Upstream, UpstreamRequest } from '../provider.ts';
import { type Account, accountOf } from './account.ts';

export type Version = 'v1' | 'v1beta1';

/** A request to a publisher's model. */
export function modelRequest(upstream: Upstream, model: PublishedModel, content: unknown): UpstreamRequest {
  const account = accountOf(upstream);
  const path = `publishers/${model.publisher}/models/${encodeURIComponent(upstream.model).replaceAll('%40', '@')}`;
  return {
    method: 'POST',
    url: `${locationUrl(upstream, account, model.version)}/${path}:${model.action}`,
    headers: { 'content-type': 'application/json', ...accessHeaders(upstream, account) },
    body: jsonBody(content, upstream),
  };
}

/** URL of the project's location; an API key alone needs none. */
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
