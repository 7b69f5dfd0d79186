import { parseJsonObject, textAt, UpstreamProblem } from '@headgate/dialects';
import type { JsonObject, Upstream } from '../provider.ts';

/** Account of a channel: credentials and location, with an account JSON or an API key. */
export interface Account {
  readonly region: string;
  /** Empty with an API key alone, which implies the project. */
  readonly project: string;
  readonly secret: { readonly json: JsonObject } | { readonly apiKey: string };
}

/** Reads the account from the channel's fields or its key: `region|project|JSON`, or the JSON or an API key alone. */
export function accountOf({ key, config }: Upstream): Account {
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
