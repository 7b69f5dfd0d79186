import { serverToolsField } from '@headgate/dialects';
import { stringify } from './long-strings.ts';
import type { RelayRequest } from './read-request.ts';

/**
 * Removes provider-run tools, because their fees have no price in the gateway, and reports them to the client, unless
 * an admin has allowed them. Agents offer these tools with every request even if they do not need them. If a tool is
 * required, the request is rejected instead.
 */
export function withoutServerTools(request: RelayRequest, allowed: readonly string[]): RelayRequest {
  const { dialect } = request.kind;
  if (!dialect.withoutServerTools || allowed.includes(serverToolsField)) return request;
  const dropped = dialect.findServerTools?.(request.body) ?? [];
  const changes = dropped.length > 0 ? dialect.withoutServerTools(request.body) : undefined;
  if (!changes) return request;
  const body = Object.fromEntries(
    Object.entries({ ...request.body, ...changes }).filter(([, value]) => value !== undefined),
  );
  const { mayGrowPrompt, hasTools } = dialect.readOutline(body, request.address);
  return { ...request, body, dropped, mayGrowPrompt, hasTools, bytes: stringify(body, request.longStrings) };
}
