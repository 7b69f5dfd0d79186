import type { RequestUrlInfo } from '@headgate/dialects';
import { type EndpointKind, endpointKinds, geminiEmbeddings, isCheckedField, ollamaEmbeddings } from '@headgate/relay';
import { isDecodable } from '../../http/readable-url.ts';

/** The relay endpoint to which a URL refers. */
export interface RequestedEndpoint {
  readonly kind: EndpointKind;
  readonly address: RequestUrlInfo;
}

const paths: ReadonlyMap<string, RequestedEndpoint> = new Map([
  ...Object.values(endpointKinds).map((kind): [string, RequestedEndpoint] => [kind.path, { kind, address: {} }]),
  ['/api/embed', { kind: ollamaEmbeddings, address: {} }],
  // Path used by Cohere's own clients.
  ['/v2/rerank', { kind: endpointKinds.rerank, address: {} }],
]);
const engine = /^\/v1\/engines\/([^/]+)\/embeddings$/;
const geminiModels = /^\/v1(?:beta|alpha)?\/models\//;
const geminiMethods = { generateContent: false, streamGenerateContent: true } as const;

/** Undefined if the URL is not a relay endpoint. */
export function requestedEndpoint(url: string): RequestedEndpoint | undefined {
  const known = paths.get(url);
  if (known) return known;
  const [path = '', query = ''] = url.split('?', 2);
  if (!url.startsWith('/v1')) return paths.get(path);
  const plain = path.replace(/\/$/, '');
  const gemini = parseGeminiPath(plain);
  if (gemini) return geminiEndpoint(gemini.model, gemini.method, query);
  const model = engine.exec(plain)?.[1];
  if (model === undefined) return withQuery(paths.get(plain), query);
  return isDecodable(model)
    ? { kind: endpointKinds.embeddings, address: { model: decodeURIComponent(model) } }
    : undefined;
}

/** Model and method of a Google-style path; undefined for other paths. */
export function parseGeminiPath(path: string): { readonly model: string; readonly method: string } | undefined {
  const prefix = geminiModels.exec(path)?.[0];
  if (prefix === undefined || !isDecodable(path)) return undefined;
  const called = decodeURIComponent(path.slice(prefix.length));
  // Model names may contain colons.
  const colon = called.lastIndexOf(':');
  return colon > 0 ? { model: called.slice(0, colon), method: called.slice(colon + 1) } : undefined;
}

const plainQuery = /^([\w.-]{1,64})=(?!sk-)[\w.,:-]{0,100}$/;
const keyParameterNames = /key|token|secret|auth|pass|sign|credential/i;

/**
 * Query parameters are forwarded unless they may contain a key or have the name of a checked body field: a router
 * between the gateway and the upstream could use the model in them.
 */
function isPassed(part: string): boolean {
  const name = plainQuery.exec(part)?.[1];
  return name !== undefined && !keyParameterNames.test(name) && !isCheckedField(name);
}

const maxPassed = 10;

function withQuery(endpoint: RequestedEndpoint | undefined, query: string): RequestedEndpoint | undefined {
  const passed = query === '' ? [] : query.split('&', maxPassed).filter(isPassed);
  return endpoint && passed.length > 0
    ? { ...endpoint, address: { ...endpoint.address, query: passed.join('&') } }
    : endpoint;
}

function geminiEndpoint(model: string, method: string, query: string): RequestedEndpoint | undefined {
  if (Object.hasOwn(geminiEmbeddings, method)) {
    return { kind: geminiEmbeddings[method as keyof typeof geminiEmbeddings], address: { model } };
  }
  if (!Object.hasOwn(geminiMethods, method)) return undefined;
  const isStream = geminiMethods[method as keyof typeof geminiMethods];
  const framing = new URLSearchParams(query).get('alt') === 'sse' ? 'sse' : 'json-list';
  const address = { model, isStream, ...(isStream && ({ framing } as const)) };
  return { kind: endpointKinds.generateContent, address };
}
