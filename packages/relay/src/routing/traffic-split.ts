import type { RouteSplit } from '../ports/ports.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { conversationKey } from './conversation-key.ts';
import { seededHash } from './rendezvous.ts';

const buckets = 100;

/**
 * Whether the other model of a split serves the request. Requests of a conversation get the same result on every node,
 * requests without a conversation that of their user. A larger share keeps the conversations of a smaller one.
 */
export function isInSplit({ percent, model }: RouteSplit, request: RelayRequest, user: number): boolean {
  const key = conversationKey('conversation', request, user) ?? conversationKey('user', request, user) ?? 0;
  // Another hash than that of session affinity, which would otherwise prefer some channels within the split.
  return seededHash(model, key) % buckets < percent;
}
