import { type JsonObject, type NamedItem, parseJsonObject } from '@headgate/dialects';
import type { Caller, Ports } from '../ports/ports.ts';
import type { Prepared } from '../prepare/prepare-request.ts';
import { stringify } from '../request/long-strings.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { RelayCall } from './relay-call.ts';

/** Most bytes of a stored answer and its input, as JSON. */
export const mostStoredBytes = 8 * 1024 * 1024;

type Named = Pick<RelayCall, 'request'> & { readonly named: readonly NamedItem[] };

/** The request, marked to have its answer stored by the gateway, unless the client or an option forbids it. */
export function withStoring<By extends Caller>(ports: Ports<By>, request: RelayRequest): RelayRequest {
  const { kind, keepsAnswer, goesOnFrom, bytes } = request;
  if (!kind.dialect.storage || !keepsAnswer || kind.isNeverTranslated) return request;
  if (bytes.length > mostStoredBytes || !ports.answers.isOn()) return request;
  return { ...request, storing: { previous: goesOnFrom?.id } };
}

/** The request with the answers and items written out that the gateway has stored for this user. */
export async function withStored<By extends Caller>(
  ports: Ports<By>,
  { caller, memory }: Pick<RelayCall<By>, 'caller' | 'memory'>,
  { request, named }: Named,
): Promise<RelayRequest> {
  const { storage } = request.kind.dialect;
  if (!storage) return request;
  const ids = [...new Set(named.map(({ id }) => id))];
  const stored = await ports.answers.find(caller, { answer: request.goesOnFrom?.id, items: ids }, memory);
  if (!stored.previous && stored.items.size === 0) return request;
  const body = storage.withStored(request.body, stored);
  const rest = stored.previous ? { goesOnFrom: undefined } : {};
  return { ...request, body, bytes: stringify(body, request.longStrings), ...rest };
}

/** Stores a finished answer, unless its upstream does. Undefined when there is nothing to wait for. */
export function storeAnswer<By extends Caller>(
  ports: Ports<By>,
  { caller, request }: Pick<RelayCall<By>, 'caller' | 'request'>,
  { wire }: Prepared,
  answer: () => Buffer | undefined,
): Promise<void> | undefined {
  const { storage } = request.kind.dialect;
  if (!request.storing || !storage || (wire.kind === 'pass' && wire.kept)) return undefined;
  if (request.bytes.length > mostStoredBytes) return undefined;
  const written: JsonObject | undefined = parseJsonObject(answer()?.toString('utf8') ?? '');
  const entry = written && storage.entryOf(request.body, written);
  return entry && ports.answers.add(caller, entry);
}
