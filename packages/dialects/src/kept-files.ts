import type { JsonObject } from './json-fields.ts';
import { isKeptAddress } from './kept-address.ts';
import { textAt } from './upstream-fields.ts';

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

/** The first in a part, a tool or several of them that is kept and not allowed, with its place told from the top of the request. */
export function keptFileAt(value: unknown, at: string, allowed: readonly string[]): KeptFile | undefined {
  const found = keptFileIn(value, allowed, 0);
  return found && { name: found.name, place: at + found.place };
}

/** As `keptFileAt`, with its place told from here: few have any, so that places are told only of what was found. */
export function keptFileIn(value: unknown, allowed: readonly string[], depth = 0): KeptFile | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  if (Array.isArray(value)) return keptInList(value, allowed, depth);
  for (const name of Object.keys(value)) {
    const meaning = meaningOf(name);
    const member = (value as JsonObject)[name];
    if (meaning.isPassedOver || (meaning.isPlain && typeof member === 'string')) continue;
    const found = keptMember(meaning, member, allowed) ?? keptFileIn(member, allowed, depth + 1);
    if (found) return { name: found.name, place: `.${name}${found.place}` };
  }
  return undefined;
}

function keptInList(list: readonly unknown[], allowed: readonly string[], depth: number): KeptFile | undefined {
  for (const [index, item] of list.entries()) {
    const found = keptFileIn(item, allowed, depth + 1);
    if (found) return { name: found.name, place: `[${index}]${found.place}` };
  }
  return undefined;
}

/** Whether a member itself names something that is kept. */
function keptMember({ keptAs, isAddress }: Meaning, value: unknown, allowed: readonly string[]): KeptFile | undefined {
  if (keptAs !== undefined && isNamed(value)) return allowed.includes(keptAs) ? undefined : { name: keptAs, place: '' };
  if (!isAddress || typeof value !== 'string' || !isKeptAddress(value)) return undefined;
  return allowed.includes(addressName) ? undefined : { name: addressName, place: '' };
}

/** Alibaba takes the numbers of files as words of the system's, which may stand in several parts. */
export function spokenFileAt(system: unknown, at: string, allowed: readonly string[]): KeptFile | undefined {
  const isSpoken = wordsOf(system).includes('fileid://');
  return isSpoken && !allowed.includes('file_id') ? { name: 'file_id', place: at } : undefined;
}

/** The same in a message, with its place told from there. */
export const spokenBySystem = (message: unknown, allowed: readonly string[]): KeptFile | undefined =>
  systemRoles.has(textAt(message, 'role'))
    ? spokenFileAt((message as JsonObject)['content'], '.content', allowed)
    : undefined;

const systemRoles: ReadonlySet<string> = new Set(['system', 'developer']);

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((part) => (typeof part === 'string' ? part : textAt(part, 'text'))).join('')
    : '';
}

const isNamed = (value: unknown): boolean =>
  Array.isArray(value) ? value.some((item) => typeof item === 'string') : typeof value === 'string' && value !== '';

interface Meaning {
  readonly keptAs?: string | undefined;
  readonly isAddress: boolean;
  readonly isPassedOver: boolean;
  /** A text under this name means nothing here. */
  readonly isPlain: boolean;
}

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
  const keptAs = keptByFold.get(fold);
  const isAddress = addressNames.has(fold) || /ur[il]$/.test(fold);
  const isPlain = keptAs === undefined && !isAddress;
  const meaning = { keptAs, isAddress, isPlain, isPassedOver: passedOver.has(name) };
  if (known.size < mostKnown && name.length <= longestKnown) known.set(name, meaning);
  return meaning;
}
