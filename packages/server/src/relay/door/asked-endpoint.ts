import type { RequestAddress } from '@headgate/dialects';
import { type EndpointKind, endpointKinds, geminiEmbeddings, isJudged, ollamaEmbeddings } from '@headgate/relay';
import { isDecodable } from '../../http/readable-url.ts';

/** What an address of the relay asks for. */
export interface AskedEndpoint {
  readonly kind: EndpointKind;
  readonly address: RequestAddress;
}

const paths: ReadonlyMap<string, AskedEndpoint> = new Map([
  ...Object.values(endpointKinds).map((kind): [string, AskedEndpoint] => [kind.path, { kind, address: {} }]),
  ['/api/embed', { kind: ollamaEmbeddings, address: {} }],
  // Cohere's own clients ask there.
  ['/v2/rerank', { kind: endpointKinds.rerank, address: {} }],
]);
const engine = /^\/v1\/engines\/([^/]+)\/embeddings$/;
const geminiModels = /^\/v1(?:beta|alpha)?\/models\//;
const geminiMethods = { generateContent: false, streamGenerateContent: true } as const;

/** Undefined when it is none of the relay's own. */
export function askedEndpoint(url: string): AskedEndpoint | undefined {
  const known = paths.get(url);
  if (known) return known;
  const [path = '', query = ''] = url.split('?', 2);
  if (!url.startsWith('/v1')) return paths.get(path);
  const plain = path.replace(/\/$/, '');
  const gemini = geminiCall(plain);
  if (gemini) return askedOfGemini(gemini.model, gemini.method, query);
  const model = engine.exec(plain)?.[1];
  if (model === undefined) return withQuery(paths.get(plain), query);
  return isDecodable(model)
    ? { kind: endpointKinds.embeddings, address: { model: decodeURIComponent(model) } }
    : undefined;
}

/** The model and the method of a call as Google addresses it; undefined when it is none. */
export function geminiCall(path: string): { readonly model: string; readonly method: string } | undefined {
  const prefix = geminiModels.exec(path)?.[0];
  if (prefix === undefined || !isDecodable(path)) return undefined;
  const called = decodeURIComponent(path.slice(prefix.length));
  // A model's name may hold colons too.
  const colon = called.lastIndexOf(':');
  return colon > 0 ? { model: called.slice(0, colon), method: called.slice(colon + 1) } : undefined;
}

const plainQuery = /^([\w.-]{1,64})=(?!sk-)[\w.,:-]{0,100}$/;
const keyWords = /key|token|secret|auth|pass|sign|credential/i;

/** What clients say there beside a key, and beside what was judged in the body: a router may be told another model so. */
function isPassed(part: string): boolean {
  const name = plainQuery.exec(part)?.[1];
  return name !== undefined && !keyWords.test(name) && !isJudged(name);
}

const mostPassed = 10;

function withQuery(asked: AskedEndpoint | undefined, query: string): AskedEndpoint | undefined {
  const passed = query === '' ? [] : query.split('&', mostPassed).filter(isPassed);
  return asked && passed.length > 0 ? { ...asked, address: { ...asked.address, query: passed.join('&') } } : asked;
}

function askedOfGemini(model: string, method: string, query: string): AskedEndpoint | undefined {
  if (Object.hasOwn(geminiEmbeddings, method)) {
    return { kind: geminiEmbeddings[method as keyof typeof geminiEmbeddings], address: { model } };
  }
  if (!Object.hasOwn(geminiMethods, method)) return undefined;
  const isStream = geminiMethods[method as keyof typeof geminiMethods];
  const framing = new URLSearchParams(query).get('alt') === 'sse' ? 'sse' : 'json-list';
  const address = { model, isStream, ...(isStream && ({ framing } as const)) };
  return { kind: endpointKinds.generateContent, address };
}
