import { type JsonObject, parseJsonObject } from '@headgate/dialects';
import { isOtherModelsField, RelayError } from '@headgate/relay';
import type { TokenEntry } from '../callers/caller-entry.ts';
import { requireModel } from '../callers/token-check.ts';
import { requireAnyEndpoint } from '../callers/token-scope.ts';
import type { ProxyTarget } from './proxy-address.ts';

/** Headers of one connection, or of the client's session with this gateway: an upstream never gets them. */
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

/** Whether a header of the client stays here. */
function isKept(name: string, headers: Headers): boolean {
  const small = name.toLowerCase();
  if (ownHeaders.has(small) || ownPrefixes.some((prefix) => small.startsWith(prefix))) return true;
  // What a connection's own header names belongs to that connection too.
  return namesIn(headers['connection']).includes(small);
}

const namesIn = (header: string | string[] | undefined): readonly string[] =>
  String(header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());

/** The client's headers for the upstream; none of them carries the client's own token, whatever it is called. */
export function headersFor(headers: Headers, token: string, { models }: TokenEntry): Record<string, string> {
  const passed = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || isKept(name, headers) || String(value).includes(token) ? [] : [[name, String(value)]],
  );
  // A body that was judged as JSON is read as JSON: as a form it may name another model.
  return { ...Object.fromEntries(passed), ...(models && { 'content-type': 'application/json' }) };
}

/**
 * The query without the client's own token, any that is given as one of ours is, and what stands where the channel's
 * key will.
 */
export function queryFor(query: string, token: string, keyParameter = ''): string {
  return query
    .split('&')
    .filter((part) => {
      const text = readable(part);
      const isKeys = keyParameter !== '' && text.split('=', 1)[0] === keyParameter;
      return !isKeys && !text.includes(token) && !ownKey.test(text);
    })
    .join('&');
}

const ownKey = /^key=(?:Bearer )?sk-[0-9A-Za-z]{48}(?:-\d+)?$/;

function readable(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

/** Where it is the body that names the model, and nothing else. */
const namesModelInBody =
  /^\/(?:v\d+\/)?(?:chat\/completions|completions|embeddings|moderations|responses|messages|rerank|images\/generations|audio\/speech)$/;

interface Call {
  readonly method: string;
  readonly target: ProxyTarget;
  readonly body: Buffer | undefined;
}

/**
 * The body that goes out. A token with a list of models calls only what is known to take its model from the body, and
 * only with a model of the list: what any other call would reach cannot be known here. The body is then written anew,
 * so that what was judged is what is sent.
 */
export function bodyFor(entry: TokenEntry, { method, target, body }: Call): Buffer | undefined {
  requireAnyEndpoint(entry);
  if (!entry.models) return body;
  const isKnown = method === 'POST' && namesModelInBody.test(target.path) && !namesModel(target.query);
  const fields = isKnown && body ? fieldsIn(body) : undefined;
  const names = Object.keys(fields ?? {}).filter(namesSomeModel);
  const model = fields?.['model'];
  if (!fields || typeof model !== 'string' || names.length !== 1) {
    throw new RelayError(403, 'The token may use some models only, and this call names none', 'model_not_allowed');
  }
  requireModel(entry, model);
  return writtenAnew(fields);
}

function writtenAnew(fields: object): Buffer {
  try {
    return Buffer.from(JSON.stringify(fields));
  } catch {
    throw new RelayError(400, 'The body is nested too deeply', null, 'invalid_request_error');
  }
}

/** Routers among upstreams take further models from other fields, for when the first does not serve. */
const namesSomeModel = (name: string): boolean => {
  const small = name.toLowerCase();
  return small === 'model' || isOtherModelsField(small);
};

const namesModel = (query: string): boolean => [...new URLSearchParams(query).keys()].some(namesSomeModel);

const fieldsIn = (body: Buffer): JsonObject | undefined => parseJsonObject(body.toString('utf8'));
