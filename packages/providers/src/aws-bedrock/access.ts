import { UpstreamProblem } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import type { Upstream, UpstreamRequest } from '../provider.ts';
import { sigV4Headers } from '../sigv4.ts';

/** Credentials of a channel: an IAM key pair, or a Bedrock API key. */
type Access =
  | {
      readonly kind: 'pair';
      readonly region: string;
      readonly accessKey: string;
      readonly secretKey: string;
      readonly sessionToken?: string;
    }
  | { readonly kind: 'bearer'; readonly region: string; readonly apiKey: string };

/** Creates an authenticated request to the runtime. */
export function runtimeRequest(upstream: Upstream, path: string, content: unknown): UpstreamRequest {
  const access = accessOf(upstream);
  const url = `${upstream.baseUrl || regionalBase('bedrock-runtime', access.region)}${path}`;
  const body = jsonBody(content, upstream);
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return { method: 'POST', url, headers: admitted({ method: 'POST', url, headers, body }, access, upstream.now), body };
}

/** Creates a request to the control plane, which has a separate host. */
export function controlRequest(upstream: Upstream, path: string): UpstreamRequest {
  const access = accessOf(upstream);
  const base = upstream.baseUrl.replace('bedrock-runtime', 'bedrock') || regionalBase('bedrock', access.region);
  const url = base + path;
  const headers = admitted(
    { method: 'GET', url, headers: { accept: 'application/json' }, body: '' },
    access,
    upstream.now,
  );
  return { method: 'GET', url, headers };
}

function admitted(request: Parameters<typeof sigV4Headers>[0], access: Access, now: number): Record<string, string> {
  if (access.kind === 'bearer') return { ...request.headers, authorization: `Bearer ${access.apiKey}` };
  return sigV4Headers(request, { ...access, service: 'bedrock' }, now);
}

/** Credentials of a channel, from its fields or its key: `access key|secret key|region`, or `API key|region`. */
function accessOf({ key, config, baseUrl }: Upstream): Access {
  const parts = key.split('|').map((part) => part.trim());
  const [first = '', second = '', third = '', sessionToken = ''] = parts;
  const isPair = parts.length > 2 || Boolean(config['ak'] && config['sk']);
  const region = config['region'] || (isPair ? third : second) || regionIn(baseUrl);
  if (!isPair && first !== '' && isRegion(region)) return { kind: 'bearer', region, apiKey: first };
  const accessKey = config['ak'] || first;
  const secretKey = config['sk'] || second;
  if (!isPair || accessKey === '' || secretKey === '' || !isRegion(region)) {
    throw new UpstreamProblem(401, "The channel's key must be access key, secret key and region, separated by |");
  }
  return { kind: 'pair', region, accessKey, secretKey, ...(sessionToken !== '' && { sessionToken }) };
}

/** True if a region name is valid; it becomes part of a URL. */
const isRegion = (region: string) => /^[a-z]{2}[a-z0-9-]{1,40}-\d{1,3}$/.test(region);

const regionIn = (baseUrl: string) => /\bbedrock(?:-runtime)?(?:-fips)?\.([a-z0-9-]+)\./.exec(baseUrl)?.[1] ?? '';

const regionalBase = (service: string, region: string) => `https://${service}.${region}.amazonaws.com`;
