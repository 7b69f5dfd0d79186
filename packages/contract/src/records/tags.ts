import * as z from 'zod/mini';
import { splitCommas } from '../wire/list.ts';

/** Tags to which requests are attributed, such as `team=search`. */
export type Tags = Readonly<Record<string, string>>;

/** Member of a log's detail that contains the tags of the request. */
export const tagsMember = 'request_tags';

/** Maximum number of tags of a request. */
export const maxRequestTags = 10;

/** Maximum number of keys that can be allowed. */
export const maxTagKeys = 20;

/** Key of the end user, taken from the request body. */
export const endUserTag = 'end_user';

/** Tag keys that the gateway sets for organization requests. Clients and options cannot use keys with a dot. */
export const organizationTag = {
  member: 'org.member',
  serviceAccount: 'org.service_account',
  project: 'org.project',
} as const;

/** Tag key with the name of the plan that paid for a request. */
export const planTag = 'billing.plan';

/** Replaces further values when a key has too many distinct values in one day. */
export const otherTagValue = 'other';

const keyPattern = /^[a-z][a-z0-9_-]{0,31}$/;

/** Without characters that have to be escaped in JSON, and without separators. */
const valuePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._:@/+|-]{0,127}$/u;

export const isTagKey = (text: string): boolean => keyPattern.test(text);

export const isTagValue = (text: string): boolean => valuePattern.test(text);

type Pair = readonly [key: string, value: string];

/** A tag as `key=value`; undefined if it is invalid. */
export function parseTag(text: string): Pair | undefined {
  const at = text.indexOf('=');
  const key = text.slice(0, Math.max(at, 0)).trim().toLowerCase();
  const value = text.slice(at + 1).trim();
  return at > 0 && isTagKey(key) && isTagValue(value) ? [key, value] : undefined;
}

/** Key for LiteLLM tags that have none. */
const plainTag = 'tag';

/** A tag of LiteLLM, which separates key and value with `:` or `=` and allows tags without a key. */
export function parseLiteLlmTag(text: string): Pair | undefined {
  const at = text.search(/[:=]/);
  return parseTag(at < 0 ? `${plainTag}=${text}` : `${text.slice(0, at)}=${text.slice(at + 1)}`);
}

/** Matches any value of a tag key, as in `team=*`. */
const anyValue = '*';

/** A condition on one tag, normalized: `team=search`, or `team=*` for any value; undefined if it is invalid. */
export function parseTagCondition(text: string): string | undefined {
  const at = text.indexOf('=');
  const key = text.slice(0, Math.max(at, 0)).trim().toLowerCase();
  if (isTagKey(key) && text.slice(at + 1).trim() === anyValue) return `${key}=${anyValue}`;
  const pair = parseTag(text);
  return pair && formatTag(pair);
}

/** True if the condition matches every value of its key. */
export const matchesAnyValue = (condition: string): boolean => condition.endsWith(`=${anyValue}`);

/** Condition that matches every value of the key. */
export const anyValueOf = (key: string): string => `${key}=${anyValue}`;

/** Longest condition on a tag. */
export const maxTagLength = 200;

/** A condition on one tag; empty: none. */
export const tagCondition = z.string().check(
  z.trim(),
  z.maxLength(maxTagLength),
  z.refine((text) => text === '' || parseTagCondition(text) !== undefined, {
    error: 'a tag such as team=search, or team=* for any value',
  }),
  z.overwrite((text) => parseTagCondition(text) ?? ''),
);

export const formatTag = ([key, value]: Pair): string => `${key}=${value}`;

/** Valid tags in a comma-separated list. If a key occurs twice, its first value applies. */
export function parseTags(text: string): Tags {
  const pairs = splitCommas(text).flatMap((part) => {
    const pair = parseTag(part);
    return pair ? [pair] : [];
  });
  return Object.fromEntries(pairs.toReversed());
}

const maxTagsLength = 2000;

/** Comma-separated tags, normalized. */
export const tagList = z.string().check(
  z.maxLength(maxTagsLength),
  z.refine((text) => {
    const parts = splitCommas(text);
    const keys = new Set(parts.map((part) => parseTag(part)?.[0]));
    return parts.length <= maxRequestTags && !keys.has(undefined) && keys.size === parts.length;
  }),
  z.overwrite((text) =>
    splitCommas(text)
      .map((part) => formatTag(parseTag(part) ?? ['', '']))
      .join(','),
  ),
);

/** A tag filter as `key=value`; empty: any. */
export const tagFilter = z._default(
  z.string().check(
    z.trim(),
    z.maxLength(200),
    z.refine((text) => text === '' || parseTag(text) !== undefined),
  ),
  '',
);
