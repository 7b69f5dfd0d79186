import { type Data, type Endpoint, fillPath, type Input, withoutTrailingSlash } from '@headgate/contract';
import { currentLanguage } from '../i18n/language.ts';
import { CallFailure } from './failure.ts';

/** Another server that answers the same calls, chosen when the console is built; otherwise the console's own. */
const server = withoutTrailingSlash(import.meta.env['VITE_SERVER'] ?? '');

interface Envelope {
  readonly success: boolean;
  readonly message: string;
  readonly data?: unknown;
}

interface Parts {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Sends one call of the contract and gives its data; every other outcome is a CallFailure. */
export async function call<E extends Endpoint>(endpoint: E, input: Input<E>, options?: CallOptions): Promise<Data<E>> {
  const envelope = await exchange(endpoint, input as Parts, options);
  return readReply(endpoint.reply, envelope.data) as Data<E>;
}

async function exchange(endpoint: Endpoint, parts: Parts, options: CallOptions = {}): Promise<Envelope> {
  const response = await send(endpoint, parts, options);
  const reply: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new CallFailure('http', response.status, messageOf(reply) ?? `HTTP ${response.status}`);
  if (!isEnvelope(reply)) throw malformed();
  if (!reply.success) throw new CallFailure('refused', response.status, reply.message);
  return reply;
}

async function send(endpoint: Endpoint, { params, query, body }: Parts, { signal }: CallOptions): Promise<Response> {
  const search = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
  const address = server + fillPath(endpoint.path, params) + (search && `?${search}`);
  try {
    return await fetch(address, {
      method: endpoint.method,
      credentials: server === '' ? 'same-origin' : 'include',
      headers: {
        'accept-language': currentLanguage() === 'zh' ? 'zh-CN' : 'en',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new CallFailure('network', 0, error instanceof Error ? error.message : String(error));
  }
}

function readReply(schema: Endpoint['reply'], data: unknown): unknown {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw malformed();
  return parsed.data;
}

const malformed = () => new CallFailure('malformed', 200, 'The server sent an answer that cannot be read');

const isEnvelope = (reply: unknown): reply is Envelope =>
  typeof reply === 'object' && reply !== null && 'success' in reply && 'message' in reply;

const messageOf = (reply: unknown): string | undefined =>
  isEnvelope(reply) && reply.message !== '' ? reply.message : undefined;
