import type { Affinity } from '@headgate/contract';
import { openingOf, sessionHeaders } from '@headgate/dialects';
import { isConversation } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { hashOf } from './rendezvous.ts';

type Asked = Pick<RelayRequest, 'kind' | 'body' | 'headers'>;

/** Of names and of beginnings of conversations so much is looked at. */
const longestRead = 4096;

/** A number that requests share which are to be served by the same channel; undefined: any channel will do. */
export function conversationKey(affinity: Affinity, request: Asked, user: number): number | undefined {
  const text = textOf[affinity](request);
  return text === undefined ? undefined : hashOf(text, user);
}

/** By what requests belong together, beside their user. */
const textOf: Readonly<Record<Affinity, (request: Asked) => string | undefined>> = {
  off: () => undefined,
  user: () => '',
  session: (request) => sessionOf(request),
  conversation: (request) => sessionOf(request) ?? beginningOf(request),
};

/** What the client itself calls the conversation. */
function sessionOf({ kind, body, headers }: Asked): string | undefined {
  for (const name of sessionHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value.slice(0, longestRead);
  }
  return kind.dialect.conversationIn?.(body)?.slice(0, longestRead);
}

function beginningOf({ kind, body }: Asked): string | undefined {
  if (!isConversation(kind)) return undefined;
  const opening = openingOf(body[kind.input], kind.dialect.prompt, longestRead);
  return opening === '' ? undefined : opening;
}
