import { isKeptAddress } from './kept-address.ts';

/** Something that an upstream keeps in the operator's account, and that a request points at. */
export interface KeptFile {
  /** The name by which an operator may let it through. */
  readonly name: string;
  /** Where the request names it. */
  readonly place: string;
}

/** Members that name what is kept, by a text or a list of texts. */
const keptNames: readonly string[] = [
  ...['file_id', 'file_ids', 'vector_store_id', 'vector_store_ids', 'container', 'container_id', 'skill_id'],
  ...['knowledge_id', 'collection_id', 'collection_ids'],
];

/** Members that hold an address or a file, beside those whose names say so. */
const addressNames: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'data', 'file', 'document']);

/** Members with words of the client's own, or with what was told to it. */
const passedOver: ReadonlySet<string> = new Set([
  ...['text', 'annotations', 'citations', 'input', 'metadata', 'arguments', 'tool_calls', 'function_call'],
]);

/** How an operator lets an address through. */
const addressName = 'file_uri';

/** No upstream reads a part that is further inside. */
const deepest = 12;

/** As `keptFileIn`, with the place told from the top of the request. */
export function keptFileAt(value: unknown, at: string, allowed: readonly string[]): KeptFile | undefined {
  const found = keptFileIn(value, allowed);
  return found && { name: found.name, place: at + found.place };
}

/** The first in a part, a tool or several of them that is kept and not allowed; its place is told from there. */
function keptFileIn(value: unknown, allowed: readonly string[], depth = 0): KeptFile | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    const found = keptMember(key, (value as Readonly<Record<string, unknown>>)[key], { isList, allowed, depth });
    if (found) return { name: found.name, place: (isList ? `[${key}]` : `.${key}`) + found.place };
  }
  return undefined;
}

interface Search {
  readonly isList: boolean;
  readonly allowed: readonly string[];
  readonly depth: number;
}

function keptMember(key: string, value: unknown, { isList, allowed, depth }: Search): KeptFile | undefined {
  const meaning = isList ? plain : meaningOf(key);
  if (meaning.isPassedOver) return undefined;
  if (meaning.keptAs !== undefined && isNamed(value))
    return allowed.includes(meaning.keptAs) ? undefined : { name: meaning.keptAs, place: '' };
  if (typeof value !== 'string') return keptFileIn(value, allowed, depth + 1);
  if (!meaning.isAddress || allowed.includes(addressName) || !isKeptAddress(value)) return undefined;
  return { name: addressName, place: '' };
}

const isNamed = (value: unknown): boolean =>
  Array.isArray(value) ? value.some((item) => typeof item === 'string') : typeof value === 'string' && value !== '';

interface Meaning {
  readonly keptAs?: string | undefined;
  readonly isAddress: boolean;
  readonly isPassedOver: boolean;
}

const plain: Meaning = { isAddress: false, isPassedOver: false };

/** Upstreams differ in whether they care for case, and for what joins words. */
const folded = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

const keptByFold: ReadonlyMap<string, string> = new Map(keptNames.map((name) => [folded(name), name]));

/** Names that were looked at before: there are few, and every part has some. */
const known = new Map<string, Meaning>();
const mostKnown = 1000;
const longestKnown = 64;

function meaningOf(name: string): Meaning {
  const found = known.get(name);
  if (found) return found;
  const fold = folded(name);
  const meaning = {
    keptAs: keptByFold.get(fold),
    isAddress: addressNames.has(fold) || /ur[il]$/.test(fold),
    isPassedOver: passedOver.has(name),
  };
  if (known.size < mostKnown && name.length <= longestKnown) known.set(name, meaning);
  return meaning;
}
