import { type ConversationName, listAt, textAt } from '@headgate/dialects';
import type { BalanceCall, EndpointName, ModelListCall, PassThrough, Provider, Upstream } from '../provider.ts';

/** Endpoints that a vendor with OpenAI's dialect may have. */
type OpenAiEndpoint = Exclude<EndpointName, Exclude<ConversationName, 'chat'> | 'compact' | 'rerank' | 'ocr'>;

/** Paths of OpenAI's endpoints. */
const openaiPaths: Readonly<Record<OpenAiEndpoint, string>> = {
  chat: '/v1/chat/completions',
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  moderations: '/v1/moderations',
  images: '/v1/images/generations',
  imageEdits: '/v1/images/edits',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
};

/** Differences of a vendor's variant from OpenAI's dialect. */
export interface VendorDialect {
  /** Only these endpoints, at these paths; absent: all of OpenAI's endpoints at its own paths. */
  readonly paths?: Partial<Record<EndpointName, string>>;
  /** URL of an endpoint, if it is not the base URL plus the path. */
  readonly address?: (upstream: Upstream, path: string) => string;
  /** Headers sent in addition to, or instead of, the bearer key. */
  readonly headers?: (upstream: Upstream) => Readonly<Record<string, string>>;
  readonly quirks?: Omit<PassThrough, 'kind' | 'send'>;
}

export const bearer = ({ key }: Upstream) => ({ authorization: `Bearer ${key}` });

/** One endpoint in OpenAI's dialect. */
export const passThrough = (path: string, { address, headers = bearer, quirks }: VendorDialect = {}): PassThrough => ({
  kind: 'pass',
  send: (upstream) => ({
    url: address?.(upstream, path) ?? upstream.baseUrl + path,
    headers: { ...upstream.clientHeaders, ...headers(upstream) },
  }),
  ...quirks,
});

/** All endpoints of a provider with OpenAI's dialect. */
export function openaiEndpoints(dialect: VendorDialect = {}): Partial<Record<EndpointName, PassThrough>> {
  const paths = Object.entries(dialect.paths ?? openaiPaths);
  return Object.fromEntries(paths.map(([name, path]) => [name, passThrough(path, dialect)]));
}

/** Properties of a provider with OpenAI's dialect, besides its endpoints. */
export interface Vendor extends VendorDialect {
  /** Path of the model list, if it is not OpenAI's; empty if there is none. */
  readonly modelsPath?: string;
  readonly balance?: BalanceCall;
}

/** A provider with OpenAI's dialect. */
export const vendor = (
  baseUrl: string,
  models: readonly string[],
  { modelsPath = '/v1/models', balance, ...dialect }: Vendor = {},
): Provider => ({
  baseUrl,
  models,
  ...openaiEndpoints(dialect),
  ...(modelsPath !== '' && { modelList: modelListAt(modelsPath, dialect) }),
  ...(balance && { balance }),
});

/** OpenAI endpoints that a provider has at OpenAI's paths. */
export const pickOpenaiPaths = (...names: readonly OpenAiEndpoint[]): Partial<Record<EndpointName, string>> =>
  Object.fromEntries(names.map((name) => [name, openaiPaths[name]]));

export const modelListAt = (path: string, { address, headers = bearer }: VendorDialect = {}): ModelListCall => ({
  request: (upstream) => ({
    method: 'GET',
    url: address?.(upstream, path) ?? upstream.baseUrl + path,
    headers: headers(upstream),
  }),
  read: readModelIds,
});

/** Ids in OpenAI's model list; one vendor omits the envelope. */
export function readModelIds(body: unknown): readonly string[] {
  const rows = Array.isArray(body) ? (body as readonly unknown[]) : listAt(body, 'data');
  return rows.map((row) => textAt(row, 'id')).filter((id) => id !== '');
}
