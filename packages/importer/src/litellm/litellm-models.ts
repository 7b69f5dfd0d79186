import type { SourceRow } from '../source/source.ts';
import { listOf } from './litellm-values.ts';

/** Names of LiteLLM that stand for lists of models. */
const anyModel: ReadonlySet<string> = new Set(['all-proxy-models', '*']);
const teamModels = 'all-team-models';
const noModels = 'no-default-models';

/** Models that may be used; undefined allows all. */
export type ModelList = readonly string[] | undefined;

/** Models by the access groups that contain them. */
export type AccessGroups = ReadonlyMap<string, readonly string[]>;

/** Models of a row. An empty list, or one with a name that stands for all, allows all. */
export function modelsOf(row: SourceRow, groups: AccessGroups): ModelList {
  const given = listOf(row, 'models').filter((name) => name !== teamModels);
  if (given.length === 0 || given.some((name) => anyModel.has(name))) return undefined;
  return [...new Set(given.filter((name) => name !== noModels).flatMap((name) => groups.get(name) ?? [name]))];
}

/** Models that both lists allow. `*` in a name matches anything. */
export function inBoth(one: ModelList, other: ModelList): ModelList {
  if (!one || !other) return one ?? other;
  const kept = [...one.filter((name) => isIn(name, other)), ...other.filter((name) => isIn(name, one))];
  return [...new Set(kept)];
}

const isIn = (name: string, list: readonly string[]): boolean =>
  list.some((pattern) => pattern === name || (pattern.includes('*') && matches(name, pattern)));

/** Compares the parts around `*`, without a regular expression from a hostile pattern. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
