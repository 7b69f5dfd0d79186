import { type ChannelRuleAction, isOutputLimitField, pathSegments } from '@headgate/contract';
import type { JsonObject } from '@headgate/dialects';
import type { ChannelRules } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { valueAt, withoutValueAt, withValueAt } from './json-path.ts';
import { judgeReplaced, judgeWritten } from './judge-written.ts';
import { type MatchedRequest, matchesRule } from './match-rule.ts';
import { ruleNotAllowedError } from './rule-error.ts';

/** The request that rules are applied to. */
export interface RuledRequest extends MatchedRequest {
  /** The client's output limit; undefined: none. */
  readonly outputLimit: number | undefined;
  /** Unpriced fields that the operator allows. */
  readonly allowed: readonly string[];
  /** True when the body must not change: it is a form or signed. */
  readonly isFixedBody?: boolean;
}

export type HeaderAction = Extract<ChannelRuleAction, { readonly header: string }>;
type BodyAction = Extract<ChannelRuleAction, { readonly path: string }>;

/** Result of a channel's rules for one request. */
export interface AppliedRules {
  /** The given body if no rule changed it. */
  readonly body: JsonObject;
  readonly headers: readonly HeaderAction[];
  /** Whether an upstream status is retried, by status. */
  readonly statuses: ReadonlyMap<number, boolean>;
  /** Names of the rules that matched. */
  readonly names: readonly string[];
}

/** Applies the rules in order. Throws when a rule rejects the request or must not be applied. */
export function applyRules({ all }: ChannelRules, request: RuledRequest, given: JsonObject): AppliedRules {
  const headers: HeaderAction[] = [];
  const statuses = new Map<number, boolean>();
  const names: string[] = [];
  let body = given;
  for (const rule of all) {
    if (!matchesRule(rule, request, body)) continue;
    names.push(rule.name);
    for (const action of rule.then) {
      if ('path' in action) body = changedBody(action, request, body);
      else act(action, headers, statuses);
    }
  }
  return { body, headers, statuses, names };
}

function act(action: Exclude<ChannelRuleAction, BodyAction>, headers: HeaderAction[], statuses: Map<number, boolean>) {
  if ('header' in action) headers.push(action);
  else if (action.do === 'status') statuses.set(action.status, action.retryable);
  else throw new RelayError(400, action.message, 'rejected_by_rule', 'invalid_request_error');
}

function changedBody(action: BodyAction, request: RuledRequest, body: JsonObject): JsonObject {
  if (request.isFixedBody) return body;
  const path = pathSegments(action.path);
  const value = valueAt(body, path);
  switch (action.do) {
    case 'set':
      return written(body, path, action.value, request);
    case 'default':
      return value === undefined ? written(body, path, action.value, request) : body;
    case 'remove':
      judgeReplaced(value);
      return withoutValueAt(body, path);
    case 'rename':
      return value === undefined ? body : renamed(body, { path, value, to: pathSegments(action.to) }, request);
  }
}

function renamed(
  body: JsonObject,
  { path, value, to }: { readonly path: readonly string[]; readonly value: unknown; readonly to: readonly string[] },
  request: RuledRequest,
): JsonObject {
  const next = written(body, to, value, request);
  return next === body ? body : withoutValueAt(next, path);
}

/** An output limit is lowered to the client's, which determines the reservation. */
function written(body: JsonObject, path: readonly string[], value: unknown, request: RuledRequest): JsonObject {
  judgeReplaced(valueAt(body, path));
  const next = withValueAt(body, path, isOutputLimitField(path.at(-1) ?? '') ? limited(value, request) : value);
  if (!next) return body;
  judgeWritten(next, path, request.allowed);
  return next;
}

function limited(value: unknown, { outputLimit }: RuledRequest): number {
  if (typeof value !== 'number' || !(value > 0)) throw ruleNotAllowedError('an output limit must be a positive number');
  return outputLimit === undefined ? value : Math.min(value, outputLimit);
}
