import type { RequestAddress } from '@headgate/dialects';
import { type EndpointKind, endpointKinds } from '@headgate/relay';
import { isDecodable } from '../http/readable-url.ts';

/** What an address of the relay asks for. */
export interface AskedEndpoint {
  readonly kind: EndpointKind;
  readonly address: RequestAddress;
}

const paths: ReadonlyMap<string, AskedEndpoint> = new Map(
  Object.values(endpointKinds).map((kind) => [kind.path, { kind, address: {} }]),
);
const engine = /^\/v1\/engines\/([^/]+)\/embeddings$/;

/** Undefined when it is none of the relay's own. */
export function askedEndpoint(url: string): AskedEndpoint | undefined {
  const known = paths.get(url);
  if (known || !url.startsWith('/v1')) return known;
  const path = (url.split('?', 1)[0] ?? '').replace(/\/$/, '');
  const model = engine.exec(path)?.[1];
  if (model === undefined) return paths.get(path);
  return isDecodable(model)
    ? { kind: endpointKinds.embeddings, address: { model: decodeURIComponent(model) } }
    : undefined;
}
