import { isDeepStrictEqual } from 'node:util';
import {
  type ChannelRule,
  type ChannelRuleAction,
  type ChannelRuleCondition,
  isOutputLimitField,
  matchesPattern,
  pathSegments,
} from '@headgate/contract';
import { type AnalyzedPath, type AnalyzedValue, analyzePath, analyzeValue } from './written-fields.ts';

type HeaderOrEnd = Exclude<ChannelRuleAction, { readonly path: string }>;

/** A change of the body, with everything precomputed that does not depend on the request. */
export type CompiledChange =
  | {
      readonly do: 'set' | 'default';
      readonly path: AnalyzedPath;
      readonly value: AnalyzedValue;
      readonly isLimit: boolean;
    }
  | { readonly do: 'remove'; readonly path: AnalyzedPath }
  | { readonly do: 'rename'; readonly path: AnalyzedPath; readonly to: AnalyzedPath; readonly isLimit: boolean };

interface CompiledCondition {
  readonly path: readonly string[];
  readonly isMet: (value: unknown) => boolean;
}

/** A rule in compiled form. */
export interface CompiledRule {
  readonly name: string;
  /** Empty lists match everything. */
  readonly dialects: readonly string[];
  readonly endpoints: readonly string[];
  readonly models: readonly ((model: string) => boolean)[];
  readonly fields: readonly CompiledCondition[];
  readonly actions: readonly (CompiledChange | HeaderOrEnd)[];
}

/** Rules of a channel are compiled once; a changed channel has a new list. */
const known = new WeakMap<readonly ChannelRule[], readonly CompiledRule[]>();

export function compiledRules(rules: readonly ChannelRule[]): readonly CompiledRule[] {
  const found = known.get(rules) ?? rules.map(compiledRule);
  known.set(rules, found);
  return found;
}

const compiledRule = ({ name, when, then }: ChannelRule): CompiledRule => ({
  name,
  dialects: when.dialects,
  endpoints: when.endpoints,
  models: when.models.map(matcherOf),
  fields: when.fields.map((condition) => ({ path: pathSegments(condition.path), isMet: testOf(condition) })),
  actions: then.map((action) => ('path' in action ? compiledChange(action) : action)),
});

function compiledChange(action: Extract<ChannelRuleAction, { readonly path: string }>): CompiledChange {
  const path = analyzePath(pathSegments(action.path));
  if (action.do === 'remove') return { do: 'remove', path };
  if (action.do === 'rename') {
    const to = analyzePath(pathSegments(action.to));
    return { do: 'rename', path, to, isLimit: isLimitPath(to) };
  }
  return { do: action.do, path, value: analyzeValue(action.value), isLimit: isLimitPath(path) };
}

const isLimitPath = ({ segments }: AnalyzedPath): boolean => isOutputLimitField(segments.at(-1) ?? '');

function matcherOf(pattern: string): (text: string) => boolean {
  const star = pattern.indexOf('*');
  if (star === -1) return (text) => text === pattern;
  const start = pattern.slice(0, -1);
  return star === pattern.length - 1 ? (text) => text.startsWith(start) : (text) => matchesPattern(pattern, text);
}

/** Longer strings never match, which bounds the cost of a pattern. */
const maxMatchedLength = 10_000;

function testOf(condition: ChannelRuleCondition): CompiledCondition['isMet'] {
  switch (condition.is) {
    case 'equals':
      return (value) => isDeepStrictEqual(value, condition.value);
    case 'exists':
      return (value) => value !== undefined;
    case 'missing':
      return (value) => value === undefined;
    case 'matches': {
      const matches = matcherOf(condition.pattern);
      return (value) =>
        (typeof value === 'string' || typeof value === 'number') &&
        String(value).length <= maxMatchedLength &&
        matches(String(value));
    }
  }
}
