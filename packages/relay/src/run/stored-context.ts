import {
  type ItemReference,
  JsonBoundsCounter,
  type JsonObject,
  parseJsonObject,
  requestBounds,
} from '@headgate/dialects';
import type { Caller, Ports } from '../ports/ports.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import { stringify } from '../request/long-strings.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { RelayCall } from './relay-call.ts';

/** Maximum bytes of a stored response and its input, as JSON. */
export const maxStoredBytes = 8 * 1024 * 1024;
/** Maximum bytes of stored responses that one request may reference. Repeated references count each time. */
export const maxReferencedBytes = 4 * maxStoredBytes;

type Named = Pick<RelayCall, 'request'> & { readonly named: readonly ItemReference[] };

/** Marks the request so that the gateway stores its response, unless the client or an option forbids it. */
export function withStoring<By extends Caller>(ports: Ports<By>, request: RelayRequest): RelayRequest {
  const { kind, mayBeStored, previousResponse, bytes } = request;
  if (!kind.dialect.storage || !mayBeStored || kind.isNeverTranslated) return request;
  if (bytes.length > maxStoredBytes || !ports.responses.isOn()) return request;
  return { ...request, storing: { previous: previousResponse?.id } };
}

/** Inlines the responses and items that the gateway has stored for this user. */
export async function withStored<By extends Caller>(
  ports: Ports<By>,
  { caller, memory }: Pick<RelayCall<By>, 'caller' | 'memory'>,
  { request, named }: Named,
): Promise<RelayRequest> {
  const { storage } = request.kind.dialect;
  if (!storage) return request;
  const ids = [...new Set(named.map(({ id }) => id))];
  const stored = await ports.responses.find(caller, { response: request.previousResponse?.id, items: ids }, memory);
  if (!stored.previous && stored.items.size === 0) return request;
  if (referredBytes(named, stored.items) > maxReferencedBytes) throw storedContextTooLargeError(request.kind.input);
  const body = storage.withStored(request.body, stored);
  const bytes = stringify(body, request.longStrings);
  memory.cover(bytes.length);
  // The structure of the client's own body was checked when it was received.
  if (!new JsonBoundsCounter(requestBounds).add(bytes.toString('latin1'))) throw tooManyParts(request.kind.input);
  const rest = stored.previous ? { previousResponse: undefined } : {};
  const { storing: _, ...unstored } = request;
  return { ...(bytes.length > maxStoredBytes ? unstored : request), body, bytes, ...rest };
}

/** Bytes of all references once they are inlined. */
function referredBytes(named: readonly ItemReference[], items: ReadonlyMap<string, JsonObject>): number {
  const sizes = new Map([...items].map(([id, item]) => [id, stringify(item, undefined).length]));
  return named.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
}

/** `place` is the field that contains the references. */
export const storedContextTooLargeError = (path: string): RelayError =>
  tooLarge(`The request refers to more than ${maxReferencedBytes / 1024 / 1024} MB of stored responses`, path);

const tooManyParts = (path: string) =>
  tooLarge('The request has too many parts together with the stored responses it refers to', path);

function tooLarge(message: string, path: string): RelayError {
  const error = new RelayError(413, message, null, 'invalid_request_error');
  error.param = path;
  return error;
}

/**
 * Stores a finished response, unless its upstream does. False if it could not be stored although the client expects it.
 */
export function storeResponse<By extends Caller>(
  ports: Ports<By>,
  { caller, request }: Pick<RelayCall<By>, 'caller' | 'request'>,
  { wire }: PreparedRequest,
  response: () => Buffer | undefined,
): Promise<boolean> | boolean {
  const { storage } = request.kind.dialect;
  if (!request.storing || !storage || (wire.kind === 'pass' && wire.storedResponse)) return true;
  const written: JsonObject | undefined = parseJsonObject(response()?.toString('utf8') ?? '');
  const entry = written && storage.entryOf(request.body, written);
  return entry ? ports.responses.add(caller, entry) : false;
}

/** Response body for the client if a response could not be stored. */
export function markResponseUnstored({ kind }: RelayRequest, bytes: Buffer): Buffer {
  const { storage } = kind.dialect;
  return storage ? Buffer.from(storage.unstored(bytes.toString('utf8'))) : bytes;
}
