import type { JsonObject } from '@headgate/dialects';
import type { CompiledRule } from './compile-rules.ts';
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
export const matchesRule = (rule: CompiledRule, request: MatchedRequest, body: JsonObject): boolean =>
  isIn(rule.dialects, request.dialect) &&
  isIn(rule.endpoints, request.endpoint) &&
  (rule.models.length === 0 || rule.models.some((matches) => matches(request.model))) &&
  rule.fields.every(({ path, isMet }) => isMet(valueAt(body, path)));

const isIn = (names: readonly string[], name: string): boolean => names.length === 0 || names.includes(name);
