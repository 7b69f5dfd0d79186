import type { EndpointName, PassThrough, Provider, Upstream } from '../provider.ts';

/** Where OpenAI itself answers. */
const openaiPaths: Readonly<Record<EndpointName, string>> = {
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

export interface Dialect {
  /** Only these endpoints, at these paths; absent: all of OpenAI's at its own. */
  readonly paths?: Partial<Record<EndpointName, string>>;
  /** The address of an endpoint, when it is more than base and path. */
  readonly address?: (upstream: Upstream, path: string) => string;
  /** Beside or instead of the bearer key. */
  readonly headers?: (upstream: Upstream) => Readonly<Record<string, string>>;
  readonly quirks?: Pick<PassThrough, 'patch' | 'refusesStreamOptions' | 'hiddenError'>;
}

export const bearer = ({ key }: Upstream) => ({ authorization: `Bearer ${key}` });

/** One endpoint that speaks OpenAI's dialect. */
export const passThrough = (path: string, { address, headers = bearer, quirks }: Dialect = {}): PassThrough => ({
  kind: 'pass',
  send: (upstream) => ({
    url: address?.(upstream, path) ?? upstream.baseUrl + path,
    headers: headers(upstream),
  }),
  ...quirks,
});

/** All endpoints of a provider that speaks OpenAI's dialect. */
export function dialectOf(dialect: Dialect = {}): Partial<Record<EndpointName, PassThrough>> {
  const paths = Object.entries(dialect.paths ?? openaiPaths);
  return Object.fromEntries(paths.map(([name, path]) => [name, passThrough(path, dialect)]));
}

/** A provider that speaks OpenAI's dialect. */
export const vendor = (baseUrl: string, models: readonly string[], dialect: Dialect = {}): Provider => ({
  baseUrl,
  models,
  ...dialectOf(dialect),
  modelList: {
    request: (upstream) => ({
      method: 'GET',
      url: dialect.address?.(upstream, modelsPath) ?? upstream.baseUrl + modelsPath,
      headers: (dialect.headers ?? bearer)(upstream),
    }),
    read: modelIdsIn,
  },
});

const modelsPath = '/v1/models';

/** The ids of OpenAI's list of models. */
export function modelIdsIn(body: unknown): readonly string[] {
  const { data } = body as { data?: unknown };
  if (!Array.isArray(data)) return [];
  return data.flatMap((row: { id?: unknown } | null) => (typeof row?.id === 'string' ? [row.id] : []));
}
