import { type LogReason, logReasons, parseTag, successStatus } from '@headgate/contract';
import type { LogFilters } from './log-filters.ts';

type Parsed = Partial<LogFilters>;

/** Keywords before a colon, with the filter that they set. Unknown keywords are searched as text. */
const keys: Readonly<Record<string, (value: string) => Parsed | undefined>> = {
  status: (value) => {
    if (value.toLowerCase() === 'ok') return { status: successStatus };
    return /^[1-9]\d\d$/.test(value) ? { status: Number(value) } : undefined;
  },
  model: (value) => named('model_name', value),
  token: (value) => named('token_name', value),
  user: (value) => named('username', value),
  group: (value) => ({ group: value }),
  channel: (value) =>
    /^#?\d{1,15}$/.test(value) ? { channel: Number(value.replace('#', '')) } : { channel_name: value },
  error: (value) => (isReason(value) ? { reason: value } : { text: value }),
  tag: (value) => (parseTag(value) ? { tag: value } : undefined),
  request: (value) => ({ request_id: value }),
};

const ofAdmins: readonly string[] = ['user', 'group', 'channel'];

const isReason = (text: string): text is LogReason => Object.hasOwn(logReasons, text);

/** A star at either end enables partial matching. */
function named(field: 'model_name' | 'token_name' | 'username', value: string): Parsed {
  const name = value.replace(/^\*|\*$/g, '');
  return { [field]: name, ...(name !== value && name !== '' && { contains: field }) };
}

/** Format of request ids assigned by the gateway. */
const isRequestId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** Search terms, with quotes around values that contain spaces: `model:gpt-4o error:"slow down"`. */
const words = /[^\s"]*(?:"[^"]*"?)?/g;

/**
 * Filters for a search term, or text to search for; undefined for a keyword without a value, which has no effect yet.
 */
function readWord(word: string, isAdmin: boolean): Parsed | string | undefined {
  const colon = word.indexOf(':');
  const read = colon < 0 ? undefined : readerOf(word.slice(0, colon), isAdmin);
  const value = unquoted(read ? word.slice(colon + 1) : word);
  if (read) return value === '' ? undefined : read(value);
  return isRequestId(value) ? { request_id: value } : value;
}

const unquoted = (text: string): string => (text.startsWith('"') ? text.replaceAll('"', '') : text).trim();

function readerOf(key: string, isAdmin: boolean) {
  const name = key.toLowerCase();
  return Object.hasOwn(keys, name) && (isAdmin || !ofAdmins.includes(name)) ? keys[name] : undefined;
}

const wordsOf = (text: string): readonly string[] => (text.match(words) ?? []).filter((word) => word !== '');

/** Terms with a value that their keyword does not accept, such as `status:abc`. */
export const invalidTerms = (text: string, isAdmin: boolean): readonly string[] =>
  wordsOf(text).filter((word) => readWord(word, isAdmin) === undefined && !/:"*$/.test(word));

/** Filters of a search text. */
export function parseSearch(text: string, isAdmin: boolean): Parsed {
  const read = wordsOf(text).flatMap((word) => readWord(word, isAdmin));
  const found = read.filter((each): each is Parsed => typeof each === 'object');
  const content = read
    .filter((each) => typeof each === 'string')
    .join(' ')
    .trim();
  const contains = found
    .flatMap((each) => each.contains ?? [])
    .toSorted()
    .join();
  return {
    ...(Object.assign({}, ...found) as Parsed),
    ...(contains !== '' && { contains }),
    ...(content !== '' && { text: content }),
  };
}
