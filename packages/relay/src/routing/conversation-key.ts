import type { Affinity } from '@headgate/contract';
import { conversationStart, sessionHeaders } from '@headgate/dialects';
import { isConversation } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { seededHash } from './rendezvous.ts';

type ConversationRequest = Pick<RelayRequest, 'kind' | 'body' | 'headers'>;

/** Maximum number of characters hashed in session ids and conversation starts. */
const maxReadLength = 4096;

/** A number shared by requests that must be served by the same channel; undefined: any channel. */
export function conversationKey(affinity: Affinity, request: ConversationRequest, user: number): number | undefined {
  const text = textOf[affinity](request);
  return text === undefined ? undefined : seededHash(text, user);
}

/** Text that identifies a sticky session, in addition to the user. */
const textOf: Readonly<Record<Affinity, (request: ConversationRequest) => string | undefined>> = {
  off: () => undefined,
  user: () => '',
  session: (request) => sessionOf(request),
  conversation: (request) => sessionOf(request) ?? beginningOf(request),
};

/** The client's own session id. */
function sessionOf({ kind, body, headers }: ConversationRequest): string | undefined {
  for (const name of sessionHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, maxReadLength);
  }
  return kind.dialect.conversationIn?.(body)?.slice(0, maxReadLength);
}

function beginningOf({ kind, body }: ConversationRequest): string | undefined {
  if (!isConversation(kind)) return undefined;
  const opening = conversationStart(body[kind.input], kind.dialect.prompt, maxReadLength);
  return opening === '' ? undefined : opening;
}
