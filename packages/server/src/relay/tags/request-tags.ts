import { createHash } from 'node:crypto';
import { endUserTag, isTagValue, maxRequestTags, parseLiteLlmTag, parseTag, type Tags } from '@headgate/contract';
import { endUserWithoutSession, isObject, type JsonObject } from '@headgate/dialects';
import { type RelayRequest, stringify } from '@headgate/relay';
import type { TagValues } from './tag-values.ts';

/** Longer headers are ignored. */
const maxHeaderLength = 4000;

interface TagSources {
  /** Allowed keys; not empty. */
  readonly keys: readonly string[];
  readonly fixed: Tags | undefined;
  /** Id of the user whose client sent the request. */
  readonly user: number;
  /** Subject of a JWT, which is the end user. */
  readonly subject?: string | undefined;
  readonly values: TagValues;
}

/**
 * Tags of a request by key. In order of precedence: fixed tags of the token, the subject of a JWT,
 * Headgate's header, LiteLLM's header, `metadata.tags` and the end user. Invalid tags are ignored, so they never
 * fail a request.
 */
export function readTags(
  request: RelayRequest,
  { keys, fixed, user: userId, subject, values }: TagSources,
): ReadonlyMap<string, string> {
  const { headers, body } = request;
  const tags = new Map<string, string>();
  const add = (key: string, value: string, isFixed = false) => {
    if (!keys.includes(key) || tags.has(key) || tags.size >= maxRequestTags) return;
    tags.set(key, isFixed ? value : values.admit(userId, key, value));
  };
  for (const [key, value] of Object.entries(fixed ?? {})) add(key, value, true);
  if (subject !== undefined) add(endUserTag, subjectTag(subject));
  const given = [
    ...listIn(headers['x-headgate-tags']).map(parseTag),
    ...listIn(headers['x-litellm-tags']).map(parseLiteLlmTag),
    ...metadataTags(body).map(parseLiteLlmTag),
  ];
  for (const pair of given) if (pair) add(...pair);
  const endUser = readEndUser(request);
  if (endUser !== undefined) add(endUserTag, endUser);
  return tags;
}

/** The request without `metadata.tags`, which are meant for gateways; providers reject lists in `metadata`. */
export function withoutMetadataTags(request: RelayRequest): RelayRequest {
  const { metadata } = request.body;
  if (!isObject(metadata) || !Array.isArray(metadata['tags'])) return request;
  const { tags: _tags, ...rest } = metadata;
  const { metadata: _metadata, ...others } = request.body;
  const body = Object.keys(rest).length > 0 ? { ...request.body, metadata: rest } : others;
  return { ...request, body, bytes: stringify(body, request.longStrings) };
}

/** A subject that cannot be a tag is hashed; otherwise the client could choose another end user. */
const subjectTag = (subject: string): string =>
  isTagValue(subject) ? subject : createHash('sha256').update(subject).digest('hex');

function listIn(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text === '' || text.length > maxHeaderLength ? [] : text.split(',');
}

function metadataTags({ metadata }: JsonObject): readonly string[] {
  const tags = isObject(metadata) ? metadata['tags'] : undefined;
  const list = Array.isArray(tags) ? (tags as readonly unknown[]) : [];
  return list.filter((tag) => typeof tag === 'string').slice(0, maxRequestTags * 2);
}

/** LiteLLM's headers for the end user, in its order of precedence. */
const endUserHeaders = ['x-litellm-customer-id', 'x-litellm-end-user-id'] as const;

/** Longer ids are ignored. */
const maxIdLength = 1000;

/**
 * End user of a request: LiteLLM's headers, then `user`, `safety_identifier` (OpenAI) or `metadata.user_id`
 * (Anthropic) in the body. Undefined if there is none or if it is not a valid tag value.
 */
function readEndUser({ headers, body }: Pick<RelayRequest, 'headers' | 'body'>): string | undefined {
  const { user, safety_identifier: safety, metadata } = body;
  const inMetadata = isObject(metadata) ? metadata['user_id'] : undefined;
  const given = [...endUserHeaders.map((name) => headers[name]), user, safety, inMetadata];
  const id = given.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (id === undefined || id.length > maxIdLength) return undefined;
  const endUser = endUserWithoutSession(id.trim());
  return isTagValue(endUser) ? endUser : undefined;
}
