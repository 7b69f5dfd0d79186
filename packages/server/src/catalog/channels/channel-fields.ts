import { isDeepStrictEqual } from 'node:util';
import {
  type ChannelFieldLocation,
  type ChannelFields,
  type ChannelType,
  channelTimeouts,
  channelType,
  isChannelTimeout,
  isProxyCredential,
  listedNameLength,
  proxyUrlOf,
  readChannelCost,
  readChannelRules,
  readProxyUrl,
  splitCommas,
  stripTrailingSlash,
  timeoutSeconds,
} from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { isForbiddenHost, normalizedHost } from '@headgate/relay';
import { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.ts';
import { allowsLineBreaks, type ChannelConfig } from './channel-config.ts';
import { readKeyLocation } from './key-location.ts';

export type FieldName = keyof ChannelFields;

export const fieldNames = (fields: ChannelFields) => Object.keys(fields) as FieldName[];

export const changedFieldNames = (before: ChannelFields, after: ChannelFields): FieldName[] =>
  fieldNames(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));

type Rules = { readonly [Name in FieldName]?: (fields: ChannelFields, type?: ChannelType) => ChannelFields[Name] };

/** Validates and normalizes each field; the first invalid one is rejected. */
const rules: Rules = {
  type: ({ type }, known) => {
    if (!known) throw new ApiError('channelTypeUnknown', { type: String(type) });
    return type;
  },
  name: ({ name }) => {
    if (name === '') throw new ApiError('channelNameOrKeyMissing');
    return requireSingleLine('name', name);
  },
  key: ({ key }, type) => {
    if (key === '') throw new ApiError('channelNameOrKeyMissing');
    return type?.keyParts?.some(allowsLineBreaks) ? requirePlainLines('key', key) : requireSingleLine('key', key);
  },
  models: ({ models }, type) => {
    if (models === '' && !type?.withoutModels) throw new ApiError('channelModelsMissing');
    return listOfNames('models', models);
  },
  group: ({ group }) => {
    if (group === '') throw new ApiError('channelGroupMissing');
    return listOfNames('group', group);
  },
  base_url: (fields, type) => {
    const address = requireSingleLine('base_url', valueOrDefault(type, 'base_url', fields.base_url));
    return address === '' ? '' : upstreamAddress(address);
  },
  other: (fields, type) => {
    const other = requireSingleLine('other', valueOrDefault(type, 'other', fields.other));
    // Channels without models are proxies.
    if (type?.withoutModels && !readKeyLocation(other)) throw new ApiError('channelKeyPlaceInvalid');
    return other;
  },
  config: ({ config }, type) => {
    for (const [name, value] of Object.entries(config)) {
      requireSingleLine('config', name);
      if (allowsLineBreaks(name)) requirePlainLines('config', value);
      else requireSingleLine('config', value);
    }
    for (const { place } of type?.fields ?? []) {
      const name = place.startsWith('config.') ? place.slice('config.'.length) : undefined;
      // Key fields may be blank when the key itself is given.
      if (name === undefined || type?.keyParts?.some((part) => part === name)) continue;
      valueOrDefault(type, place, config[name] ?? '');
    }
    rejectInvalidLimits(config);
    return withNormalizedProxy(config);
  },
  model_mapping: ({ model_mapping }) => {
    const mapping = model_mapping.trim();
    if (mapping === '') return '';
    const parsed = parseJson(mapping);
    if (parsed === undefined) throw new ApiError('modelMappingInvalid');
    if (!mappingSchema.safeParse(parsed).success) throw new ApiError('modelMappingOdd');
    return mapping;
  },
  tag: ({ tag }) => requireSingleLine('tag', tag),
  purchase: ({ purchase }) => normalizeChannelCost(purchase),
  rules: ({ rules: text }) => normalizeRules(text),
};

/** Re-serialized to drop unknown properties. */
function normalizeChannelCost(text: string): string {
  const read = readChannelCost(text);
  if (read === false) throw new ApiError('channelPurchaseInvalid');
  return read ? JSON.stringify(read) : '';
}

/** Re-serialized to drop unknown properties. */
function normalizeRules(text: string): string {
  const { rules: read, problem } = readChannelRules(text);
  if (problem) throw new ApiError('channelRulesInvalid', { place: problem.place, problem: problem.message });
  // A blank credential that has no stored value.
  const blank = read.findLast(({ then }) => then.some((action) => action.do === 'set_header' && action.value === ''));
  if (blank) throw new ApiError('channelRuleValueMissing', { name: blank.name });
  return read.length > 0 ? JSON.stringify(read) : '';
}

const mappingSchema = z.record(z.string(), z.string());

/** Upstream models by model; undefined if the text is not an object of strings. */
export function readModelMapping(text: string): ReadonlyMap<string, string> | undefined {
  if (text === '') return new Map();
  const { data } = mappingSchema.safeParse(parseJson(text));
  return data && new Map(Object.entries(data));
}

/** Normalizes the fields for storage. Validates only the fields in `checked`, or all fields if `type` is among them. */
export function normalizeFields(fields: ChannelFields, checked: readonly FieldName[]): ChannelFields {
  const type = channelType(fields.type);
  const isChecked = (name: string) => checked.includes(name as FieldName) || checked.includes('type');
  const tidied = Object.entries(rules).flatMap(([name, rule]) =>
    isChecked(name) ? [[name, rule(fields, type)] as const] : [],
  );
  return { ...fields, ...Object.fromEntries(tidied) };
}

function rejectInvalidLimits(config: ChannelConfig): void {
  const odd = channelTimeouts.find(({ place }) => !isChannelTimeout(config[place.slice('config.'.length)] ?? ''));
  if (!odd) return;
  const { min, max } = timeoutSeconds;
  throw new ApiError('channelLimitInvalid', { field: odd.label, min: String(min), max: String(max) });
}

/** A password in the URL is stored as the secret setting. */
function withNormalizedProxy(config: ChannelConfig): ChannelConfig {
  const { proxy: text, proxy_password: secret, ...rest } = config;
  if (text === undefined) return rest;
  const proxy = readProxyUrl(text);
  const host = proxy && normalizedHost(proxy.host);
  if (!proxy || !host) throw new ApiError('channelProxyInvalid');
  if (isForbiddenHost(host)) throw new ApiError('baseUrlForbidden');
  const password = proxy.password || (secret ?? '');
  if (!isProxyCredential(password) || (password !== '' && proxy.username === ''))
    throw new ApiError('channelProxyInvalid');
  return { ...rest, proxy: proxyUrlOf(proxy), ...(password !== '' && { proxy_password: password }) };
}

/** The value, or the type's default if it is empty. */
function valueOrDefault(type: ChannelType | undefined, place: ChannelFieldLocation, value: string): string {
  const field = type?.fields?.find((row) => row.place === place);
  const filled = value === '' ? (field?.initial ?? '') : value;
  if (filled === '' && field?.required) throw new ApiError('channelFieldMissing', { field: field.label });
  return filled;
}

function listOfNames(field: FieldName, text: string): string {
  if (splitCommas(text).some((name) => name.length > listedNameLength.max)) {
    throw new ApiError('listedNameTooLong', { field, max: String(listedNameLength.max) });
  }
  return requireSingleLine(field, text);
}

/** Rejects control characters: the text is used in headers and URLs, where a line break would start another header. */
function requireSingleLine(field: string, text: string): string {
  if (/\p{Cc}/u.test(text)) throw new ApiError('controlCharacters', { field });
  return text;
}

function requirePlainLines(field: string, text: string): string {
  requireSingleLine(field, text.replace(/[\t\r\n]/g, ''));
  return text;
}

/**
 * Normalizes a base URL. Private addresses are allowed (for example a local Ollama), but not metadata services, which
 * return credentials of the machine or its cloud account. The resolved addresses are checked again for every request.
 */
function upstreamAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/[^/]/i.test(text)) throw new ApiError('baseUrlInvalid');
  const { username, password, origin, pathname } = url;
  // Paths are appended to it, so a query or fragment is not allowed.
  if (username !== '' || password !== '' || /[?#]/.test(text)) throw new ApiError('baseUrlInvalid');
  if (isForbiddenHost(url.hostname)) throw new ApiError('baseUrlForbidden');
  return stripTrailingSlash(`${origin}${pathname}`);
}
