import type { ChannelRuleAction } from '@headgate/contract';
import type { JsonObject } from '@headgate/dialects';
import type { ChannelRules } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { type CompiledChange, type CompiledRule, compiledRules } from './compile-rules.ts';
import { valueAt, withoutValueAt, withValueAt } from './json-path.ts';
import { ruleNotAllowedError } from './rule-error.ts';
import {
  type AnalyzedPath,
  type AnalyzedValue,
  analyzeValue,
  requirePriceableValue,
  requireReplaceableValue,
} from './written-fields.ts';

/** The request against which rules are matched. */
interface MatchedRequest {
  /** The requested model. */
  readonly model: string;
  /** Family of the client's dialect, such as `openai`; empty: none. */
  readonly dialect: string;
  /** Family of the endpoint, such as `conversations`; empty: none. */
  readonly endpoint: string;
}

/** `body` is the upstream request as earlier rules have left it. */
const matchesRule = (rule: CompiledRule, request: MatchedRequest, body: JsonObject): boolean =>
  isIn(rule.dialects, request.dialect) &&
  isIn(rule.endpoints, request.endpoint) &&
  (rule.models.length === 0 || rule.models.some((matches) => matches(request.model))) &&
  rule.fields.every(({ path, isMet }) => isMet(valueAt(body, path)));

const isIn = (names: readonly string[], name: string): boolean => names.length === 0 || names.includes(name);

/** The request to which rules are applied. */
export interface RuledRequest extends MatchedRequest {
  /** The client's output limit; undefined: none. */
  readonly outputLimit: number | undefined;
  /** Unpriced fields that the operator allows. */
  readonly allowed: readonly string[];
  /** True if the body must not change, because it is a form or signed. */
  readonly isFixedBody?: boolean;
}

export type HeaderAction = Extract<ChannelRuleAction, { readonly header: string }>;

/** Result of a channel's rules for one request. */
export interface AppliedRules {
  /** The given body if no rule changed it. */
  readonly body: JsonObject;
  readonly headers: readonly HeaderAction[];
  /** Retry decision by upstream status code. */
  readonly statuses: ReadonlyMap<number, boolean>;
  /** Names of the rules that matched. */
  readonly names: readonly string[];
}

const noStatuses: ReadonlyMap<number, boolean> = new Map();

/** Applies the rules in order. Throws if a rule rejects the request or must not be applied. */
export function applyRules({ all }: ChannelRules, request: RuledRequest, given: JsonObject): AppliedRules {
  const headers: HeaderAction[] = [];
  const names: string[] = [];
  let statuses = noStatuses;
  let body = given;
  for (const rule of compiledRules(all)) {
    if (!matchesRule(rule, request, body)) continue;
    names.push(rule.name);
    for (const action of rule.actions) {
      if ('path' in action) body = changedBody(action, request, body);
      else if ('header' in action) headers.push(action);
      else statuses = withStatus(action, statuses);
    }
  }
  return { body, headers, statuses, names };
}

type StatusOrReject = Exclude<CompiledRule['actions'][number], CompiledChange | HeaderAction>;

function withStatus(action: StatusOrReject, statuses: ReadonlyMap<number, boolean>): ReadonlyMap<number, boolean> {
  if (action.do === 'reject') throw new RelayError(400, action.message, 'rejected_by_rule', 'invalid_request_error');
  return new Map([...statuses, [action.status, action.retryable]]);
}

function changedBody(action: CompiledChange, request: RuledRequest, body: JsonObject): JsonObject {
  if (request.isFixedBody) return body;
  const { segments } = action.path;
  const present = valueAt(body, segments);
  switch (action.do) {
    case 'default':
      return present === undefined ? written(body, action, action.path, request) : body;
    case 'set':
      return written(body, action, action.path, request);
    case 'remove':
      requireReplaceableValue(present);
      return withoutValueAt(body, segments);
    case 'rename': {
      if (present === undefined) return body;
      const next = written(body, { value: analyzeValue(present), isLimit: action.isLimit }, action.to, request);
      return next === body ? body : withoutValueAt(next, segments);
    }
  }
}

interface Writing {
  readonly value: AnalyzedValue;
  readonly isLimit: boolean;
}

/** An output limit is lowered to the client's limit, on which the reservation is based. */
function written(body: JsonObject, { value, isLimit }: Writing, path: AnalyzedPath, request: RuledRequest): JsonObject {
  requireReplaceableValue(valueAt(body, path.segments));
  const next = withValueAt(body, path.segments, isLimit ? limited(value.value, request) : value.value);
  if (!next) return body;
  requirePriceableValue(next, path, value, request.allowed);
  return next;
}

function limited(value: unknown, { outputLimit }: RuledRequest): number {
  if (typeof value !== 'number' || !(value > 0)) throw ruleNotAllowedError('an output limit must be a positive number');
  return outputLimit === undefined ? value : Math.min(value, outputLimit);
}
