import { isObject, listAt, numberAt, textAt } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

type Tree = Map<string, Tree | Leaf>;
type Leaf = string | number | boolean | null;

/**
 * Arguments of a call that arrive in fragments: each has a path (`$.where.city`, `$.days[2]`) and a value, or a part of
 * a string. They are valid JSON only when all have arrived.
 */
export class PartialArguments {
  readonly #tree: Tree = new Map();
  /** Total length of the strings. */
  characters = 0;

  add(call: JsonObject): void {
    for (const part of listAt(call, 'partialArgs')) {
      const path = stepsOf(textAt(part, 'jsonPath'));
      const value = leafOf(part);
      if (typeof value === 'string') this.characters += value.length;
      if (path.length > 0 && path.length <= deepest && value !== undefined) this.#put(path, value);
    }
  }

  get json(): string {
    return JSON.stringify(plain(this.#tree));
  }

  #put(path: readonly string[], value: Leaf): void {
    let tree = this.#tree;
    for (const step of path.slice(0, -1)) {
      const next = tree.get(step);
      if (next instanceof Map) tree = next;
      else {
        const grown: Tree = new Map();
        tree.set(step, grown);
        tree = grown;
      }
    }
    const last = path.at(-1) ?? '';
    const before = tree.get(last);
    tree.set(last, typeof before === 'string' && typeof value === 'string' ? before + value : value);
  }
}

const deepest = 64;

/** Splits `$.a['b'][0]` into a, b and [0]; an index keeps its bracket to distinguish lists from objects. */
function stepsOf(path: string): readonly string[] {
  return [...path.matchAll(/\.([^.[\]]+)|\['([^']*)'\]|(\[\d{1,6})\]/g)].map(
    ([, name, quoted, index]) => name ?? quoted ?? index ?? '',
  );
}

function leafOf(part: unknown): Leaf | undefined {
  if (!isObject(part)) return undefined;
  const { stringValue, boolValue, nullValue } = part;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof boolValue === 'boolean') return boolValue;
  return numberAt(part, 'numberValue') ?? (nullValue === undefined ? undefined : null);
}

/** A node with only index children is a list, in order of arrival. */
function plain(tree: Tree | Leaf): unknown {
  if (!(tree instanceof Map)) return tree;
  const isList = tree.size > 0 && [...tree.keys()].every((step) => step.startsWith('['));
  if (isList) return [...tree.values()].map(plain);
  return Object.fromEntries([...tree].map(([step, value]) => [step, plain(value)]));
}
