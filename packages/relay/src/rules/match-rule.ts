import { isDeepStrictEqual } from 'node:util';
import { type ChannelRule, type ChannelRuleCondition, matchesPattern, pathSegments } from '@headgate/contract';
import type { JsonObject } from '@headgate/dialects';
import { valueAt } from './json-path.ts';

/** The request that rules are matched with. */
export interface MatchedRequest {
  /** The requested model. */
  readonly model: string;
  /** Family of the client's dialect, such as `openai`; empty: none. */
  readonly dialect: string;
  /** Family of the endpoint, such as `conversations`; empty: none. */
  readonly endpoint: string;
}

/** `body` is the upstream request as earlier rules have left it. */
export function matchesRule({ when }: ChannelRule, request: MatchedRequest, body: JsonObject): boolean {
  return (
    isIn(when.dialects, request.dialect) &&
    isIn(when.endpoints, request.endpoint) &&
    (when.models.length === 0 || when.models.some((pattern) => matchesPattern(pattern, request.model))) &&
    when.fields.every((condition) => isMet(condition, body))
  );
}

const isIn = (names: readonly string[], name: string): boolean => names.length === 0 || names.includes(name);

/** Longer strings never match, to bound the cost of a pattern. */
const maxMatchedLength = 10_000;

function isMet(condition: ChannelRuleCondition, body: JsonObject): boolean {
  const value = valueAt(body, pathSegments(condition.path));
  switch (condition.is) {
    case 'equals':
      return isDeepStrictEqual(value, condition.value);
    case 'exists':
      return value !== undefined;
    case 'missing':
      return value === undefined;
    case 'matches':
      return (
        (typeof value === 'string' || typeof value === 'number') &&
        String(value).length <= maxMatchedLength &&
        matchesPattern(condition.pattern, String(value))
      );
  }
}
