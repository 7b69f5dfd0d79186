import { serverToolsField } from '@headgate/dialects';
import { stringify } from './long-strings.ts';
import type { RelayRequest } from './read-request.ts';

/**
 * Tools that a provider runs have fees without a price here. Agents offer them with every request without needing
 * them, so they are removed and reported to the client unless an admin has allowed them. A required tool is kept, and
 * the request is rejected.
 */
export function withoutServerTools(request: RelayRequest, allowed: readonly string[]): RelayRequest {
  const { dialect } = request.kind;
  if (!dialect.withoutServerTools || allowed.includes(serverToolsField)) return request;
  const dropped = dialect.serverToolsIn?.(request.body) ?? [];
  const changes = dropped.length > 0 ? dialect.withoutServerTools(request.body) : undefined;
  if (!changes) return request;
  const body = Object.fromEntries(
    Object.entries({ ...request.body, ...changes }).filter(([, value]) => value !== undefined),
  );
  const { mayGrowPrompt, hasTools } = dialect.readOutline(body, request.address);
  return { ...request, body, dropped, mayGrowPrompt, hasTools, bytes: stringify(body, request.longStrings) };
}
