import type { JsonObject } from './json-fields.ts';
import { textAt } from './upstream-fields.ts';

/** A reference to data stored in the operator's upstream account. */
export interface StoredFile {
  /** Option value that allows the reference. */
  readonly name: string;
  /** Path in the request. */
  readonly path: string;
}

/** Fields that reference stored data, as a string or a list. */
const storedNames: readonly string[] = [
  ...['file_id', 'file_ids', 'vector_store_id', 'vector_store_ids', 'container', 'container_id', 'skill_id'],
  ...['knowledge_id', 'collection_id', 'collection_ids'],
];

/** Fields with a URL or a file, besides those whose names end in `url` or similar. */
const addressNames: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'data', 'file', 'document']);

/** Fields with client-defined content or earlier output. */
const passedOver: ReadonlySet<string> = new Set([
  ...['text', 'annotations', 'citations', 'input', 'metadata', 'arguments', 'tool_calls', 'function_call'],
]);

/** Option value that allows a URL. */
const addressName = 'file_uri';

/** No upstream reads parts that are nested deeper. */
const deepest = 12;

/**
 * First stored and disallowed reference in a part, a tool or a list of them, with its path from the top of the
 * request.
 */
export function readStoredFileField(value: unknown, at: string, allowed: readonly string[]): StoredFile | undefined {
  const found = readStoredFile(value, allowed, 0);
  return found && { name: found.name, path: at + found.path };
}

/** Like `readStoredFileField`, with a relative path. Few requests contain references, so paths are built only for matches. */
export function readStoredFile(value: unknown, allowed: readonly string[], depth = 0): StoredFile | undefined {
  if (typeof value !== 'object' || value === null || depth > deepest) return undefined;
  if (Array.isArray(value)) return storedInList(value, allowed, depth);
  for (const name in value) {
    const meaning = meaningOf(name);
    const member = (value as JsonObject)[name];
    if (meaning.isPassedOver || (meaning.isPlain && typeof member === 'string')) continue;
    const found = storedMember(meaning, member, allowed) ?? readStoredFile(member, allowed, depth + 1);
    if (found) return { name: found.name, path: `.${name}${found.path}` };
  }
  return undefined;
}

function storedInList(list: readonly unknown[], allowed: readonly string[], depth: number): StoredFile | undefined {
  let index = 0;
  for (const item of list) {
    const found = readStoredFile(item, allowed, depth + 1);
    if (found) return { name: found.name, path: `[${index}]${found.path}` };
    index += 1;
  }
  return undefined;
}

/** Returns the reference if the field itself references stored data. */
function storedMember(
  { keptAs, isAddress }: Meaning,
  value: unknown,
  allowed: readonly string[],
): StoredFile | undefined {
  if (keptAs !== undefined && isNamed(value)) return allowed.includes(keptAs) ? undefined : { name: keptAs, path: '' };
  if (!isAddress || typeof value !== 'string' || !isAccountUrl(value)) return undefined;
  return allowed.includes(addressName) ? undefined : { name: addressName, path: '' };
}

/** Alibaba accepts file ids in system messages, possibly split over several parts. */
export function readSystemFileField(system: unknown, at: string, allowed: readonly string[]): StoredFile | undefined {
  const isSpoken = joinedText(system).includes('fileid://');
  return isSpoken && !allowed.includes('file_id') ? { name: 'file_id', path: at } : undefined;
}

/** Like `readSystemFileField` for one message, with a relative path. */
export const readSystemFile = (message: unknown, allowed: readonly string[]): StoredFile | undefined =>
  systemRoles.has(textAt(message, 'role'))
    ? readSystemFileField((message as JsonObject)['content'], '.content', allowed)
    : undefined;

const systemRoles: ReadonlySet<string> = new Set(['system', 'developer']);

function joinedText(content: unknown): string {
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
  /** True if a string in this field has no special meaning to upstreams. */
  readonly isPlain: boolean;
}

/** Upstreams differ in case sensitivity and word separators. */
const folded = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

const storedByNormalizedName: ReadonlyMap<string, string> = new Map(storedNames.map((name) => [folded(name), name]));

/** Cache of field meanings: there are few names, and every part contains some of them. */
const known = new Map<string, Meaning>();
const maxKnown = 1000;
const maxKnownLength = 64;

function meaningOf(name: string): Meaning {
  const found = known.get(name);
  if (found) return found;
  const normalized = folded(name);
  const keptAs = storedByNormalizedName.get(normalized);
  const isAddress = addressNames.has(normalized) || /ur[il]$/.test(normalized);
  const isPlain = keptAs === undefined && !isAddress;
  const meaning = { keptAs, isAddress, isPlain, isPassedOver: passedOver.has(name) };
  if (known.size < maxKnown && name.length <= maxKnownLength) known.set(name, meaning);
  return meaning;
}

/** True if a URL is read with the account's credentials instead of anonymously. */
const isAccountUrl = (address: string): boolean => {
  const [, scheme = ''] = /^\s*([a-z][\w+.-]{0,30}):\/\//i.exec(address) ?? [];
  if (scheme === '') return false;
  return /^https?$/i.test(scheme) ? isGoogleFileUrl(address) : true;
};

/** Files uploaded to Google have a Google URL that is readable only with the key that uploaded them. */
export function isGoogleFileUrl(address: string): boolean {
  const [, host = ''] = /^\s*https?:\/\/([^/?#\\]*)/i.exec(address) ?? [];
  return /googleapis\.com\.?(?::\d*)?$/i.test(host) && host.toLowerCase() !== 'storage.googleapis.com';
}
