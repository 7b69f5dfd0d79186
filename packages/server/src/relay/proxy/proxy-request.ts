import { type JsonObject, parseJsonObject } from '@headgate/dialects';
import { isOtherModelField, RelayError } from '@headgate/relay';
import type { TokenEntry } from '../callers/caller-entry.ts';
import { requireModel } from '../callers/token-check.ts';
import { requireAnyEndpoint } from '../callers/token-scope.ts';
import type { ProxyTarget } from './proxy-address.ts';

/** Hop-by-hop headers and session headers of the client; never forwarded. */
const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'accept-encoding',
  'content-encoding',
  'cookie',
  'set-cookie',
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'proxy-authorization',
  'proxy-authenticate',
  'proxy-connection',
  'x-headgate-tags',
  'x-litellm-tags',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
  'client-ip',
  'fly-client-ip',
  'fastly-client-ip',
  'x-original-forwarded-for',
  'x-azure-clientip',
  'x-envoy-external-address',
]);
const ownPrefixes = ['x-forwarded-', 'cf-'] as const;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** True if a client header is not forwarded. */
function isDropped(name: string, headers: Headers): boolean {
  const small = name.toLowerCase();
  if (ownHeaders.has(small) || ownPrefixes.some((prefix) => small.startsWith(prefix))) return true;
  // Headers named in `Connection` are hop-by-hop too.
  return namesIn(headers['connection']).includes(small);
}

const namesIn = (header: string | string[] | undefined): readonly string[] =>
  String(header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());

/** Client headers for the upstream, except headers that contain the client's token. */
export function proxyRequestHeaders(headers: Headers, token: string, { models }: TokenEntry): Record<string, string> {
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || isDropped(name, headers) || String(value).includes(token) ? [] : [[name, String(value)]],
  );
  // A body that was checked as JSON must be parsed as JSON by the upstream: parsed as a form, it could name another
  // model.
  return { ...Object.fromEntries(passed), ...(models && { 'content-type': 'application/json' }) };
}

/** The query without the client's token, anything that looks like one, and the parameter for the channel's key. */
export function proxyQuery(query: string, token: string, keyParameter = ''): string {
  return query
    .split('&')
    .filter((part) => {
      const text = readable(part);
      const isKeys = keyParameter !== '' && text.split('=', 1)[0] === keyParameter;
      return !isKeys && !text.includes(token) && !ownKey.test(text);
    })
    .join('&');
}

const ownKey = /^key=(?:Bearer )?(?:sk-[0-9A-Za-z]{48}(?:-\d+)?|eyJ[\w-]*\.[\w-]+\.[\w-]+)$/;

function readable(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

/** Endpoints where only the body contains the model. */
const namesModelInBody =
  /^\/(?:v\d+\/)?(?:chat\/completions|completions|embeddings|moderations|responses|messages|rerank|ocr|images\/generations|audio\/speech)$/;

interface Call {
  readonly method: string;
  readonly target: ProxyTarget;
  readonly body: Buffer | undefined;
}

/**
 * The body to send. A token with a model list may only use endpoints known to take the model from the body, and only
 * with a listed model, because the model of any other request is unknown. The body is then serialized again, so that
 * exactly the checked content is sent.
 */
export function proxyBody(entry: TokenEntry, { method, target, body }: Call): Buffer | undefined {
  requireAnyEndpoint(entry);
  if (!entry.models) return body;
  const isKnown = method === 'POST' && namesModelInBody.test(target.path) && !namesModel(target.query);
  const fields = isKnown && body ? fieldsIn(body) : undefined;
  const names = Object.keys(fields ?? {}).filter(namesSomeModel);
  const model = fields?.['model'];
  if (!fields || typeof model !== 'string' || names.length !== 1) {
    throw new RelayError(
      403,
      'This API token is limited to certain models, but the request does not name one',
      'model_not_allowed',
    );
  }
  requireModel(entry, model);
  return serializedAgain(fields);
}

function serializedAgain(fields: object): Buffer {
  try {
    return Buffer.from(JSON.stringify(fields));
  } catch {
    throw new RelayError(400, 'The body is nested too deeply', null, 'invalid_request_error');
  }
}

/** True for any field that may name a model; upstream routers read fallback models from other fields too. */
const namesSomeModel = (name: string): boolean => {
  const small = name.toLowerCase();
  return small === 'model' || isOtherModelField(small);
};

const namesModel = (query: string): boolean => [...new URLSearchParams(query).keys()].some(namesSomeModel);

const fieldsIn = (body: Buffer): JsonObject | undefined => parseJsonObject(body.toString('utf8'));
