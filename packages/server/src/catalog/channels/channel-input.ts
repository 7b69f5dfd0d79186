import {
  type ChannelFields,
  type ChannelType,
  type channelCreation,
  channelNameLength,
  channelStatus,
  channelType,
  type channelUpdate,
  defaultGroup,
  keyStrategies,
  maxChannelsPerCall,
  proxyUrlOf,
  readProxyUrl,
  stripTrailingSlash,
} from '@headgate/contract';
import { providers } from '@headgate/providers';
import type { z } from 'zod';
import { ApiError } from '../../platform/errors/api-error.ts';
import {
  type ChannelConfig,
  omitSecrets,
  readConfig,
  restoreBlankSecrets,
  withoutMovedPassword,
} from './channel-config.ts';
import { changedFieldNames, type FieldName, fieldNames, normalizeFields } from './channel-fields.ts';
import { blankRuleSecrets, restoreRuleSecrets } from './rule-secrets.ts';

export type ChannelCreation = z.output<typeof channelCreation>;
export type ChannelUpdate = z.output<typeof channelUpdate>;

/** One channel per line of the key, differing only in name and key. */
export function newChannels(given: ChannelCreation): [ChannelFields, ...ChannelFields[]] {
  const { purchase = '', rules = '' } = given;
  const config = readConfig(given.config ?? '');
  const [firstKey = '', ...otherKeys] = keysOf(given, config);
  const fields: ChannelFields = {
    name: given.name,
    key: firstKey,
    type: given.type,
    models: given.models,
    group: given.group === '' ? defaultGroup : given.group,
    base_url: given.base_url ?? '',
    other: given.other ?? '',
    model_mapping: given.model_mapping ?? '',
    system_prompt: given.system_prompt ?? '',
    purchase,
    rules,
    config,
    status: channelStatus.enabled,
    priority: given.priority ?? 0,
    weight: given.weight ?? 0,
    tag: given.tag ?? '',
    key_strategy: given.key_strategy ?? keyStrategies[0],
  };
  const first = normalizeFields(fields, fieldNames(fields));
  if (otherKeys.length === 0) return [first];
  return [
    { ...first, name: numberedName(first.name, 1) },
    ...otherKeys.map((key, index) =>
      normalizeFields({ ...first, key, name: numberedName(first.name, index + 2) }, ['key']),
    ),
  ];
}

/** A stored channel after an update. Validates the changed fields, or those in `checked`. */
export function changedChannel(stored: ChannelFields, given: ChannelUpdate, checked?: readonly FieldName[]) {
  const wanted = withChanges(stored, given);
  const complete = { ...wanted, key: wanted.key || stored.key };
  const fields = normalizeFields(complete, checked ?? changedFieldNames(stored, complete));
  // Otherwise anyone who may edit a channel could redirect its key to their own server.
  if (wanted.key === '') throw new ApiError('keyNeeded');
  return fields;
}

/**
 * Missing fields, a blank key and blank secrets keep their stored values, unless they would be sent to another
 * address: then the key is empty unless given again.
 */
function withChanges(stored: ChannelFields, given: ChannelUpdate): ChannelFields {
  const type = given.type ?? stored.type;
  const base_url = orCleared(given.base_url, '', stored.base_url);
  const proxy = given.config === undefined ? stored.config['proxy'] : readConfig(given.config)['proxy'];
  const isMoved = addressOf(type, base_url, proxy) !== addressOf(stored.type, stored.base_url, stored.config['proxy']);
  const kept = isMoved
    ? { ...stored, key: '', config: omitSecrets(stored.config), rules: blankRuleSecrets(stored.rules) }
    : stored;
  const config = given.config === undefined ? kept.config : changedConfig(kept.config, given.config);
  return {
    name: given.name ?? stored.name,
    key: given.key || recomposedKey(kept, type, config) || kept.key,
    type,
    models: given.models ?? stored.models,
    group: given.group ?? stored.group,
    base_url,
    other: orCleared(given.other, '', stored.other),
    model_mapping: orCleared(given.model_mapping, '', stored.model_mapping),
    system_prompt: orCleared(given.system_prompt, '', stored.system_prompt),
    purchase: given.purchase ?? stored.purchase,
    rules: given.rules === undefined ? kept.rules : restoreRuleSecrets(given.rules, kept.rules),
    config,
    status: given.status ?? stored.status,
    priority: orCleared(given.priority, 0, stored.priority),
    weight: orCleared(given.weight, 0, stored.weight),
    tag: orCleared(given.tag, '', stored.tag),
    key_strategy: given.key_strategy ?? stored.key_strategy,
  };
}

/** Normalized URL to which a channel's key is sent. Without TLS, the proxy also sees the key. */
function addressOf(type: number, base_url: string, proxy = ''): string {
  const address = base_url === '' ? (providers[type as keyof typeof providers]?.baseUrl ?? '') : base_url;
  const url = URL.parse(address);
  // Without a base URL, the type determines the URL, which may be the same for two types.
  if (!url) return `${type} ${address}`;
  const plain = stripTrailingSlash(`${url.origin}${url.pathname}`);
  return url.protocol === 'https:' ? plain : `${plain} ${comparableProxy(proxy)}`;
}

function comparableProxy(text: string): string {
  const proxy = readProxyUrl(text);
  return proxy ? proxyUrlOf(proxy) : text;
}

const orCleared = <T>(given: T | null | undefined, cleared: T, stored: T): T =>
  given === undefined ? stored : (given ?? cleared);

const changedConfig = (stored: ChannelConfig, text: string): ChannelConfig =>
  text.trim() === '' ? {} : withRestoredSecrets(readConfig(text), stored);

const withRestoredSecrets = (given: ChannelConfig, stored: ChannelConfig): ChannelConfig =>
  restoreBlankSecrets(given, withoutMovedPassword(stored, given));

function keysOf({ key, type: typeId }: ChannelCreation, config: ChannelConfig): string[] {
  const type = channelType(typeId);
  // A multi-part key may be a multi-line document.
  if (type?.keyParts) return [key === '' ? composedKey(type, config) : key];
  const keys = key
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (keys.length > maxChannelsPerCall) throw new ApiError('tooManyChannelKeys', { max: String(maxChannelsPerCall) });
  return keys;
}

/** Empty unless the type builds its key from parts and all of them are present. */
function composedKey(type: ChannelType | undefined, config: ChannelConfig): string {
  const parts = type?.keyParts?.map((part) => config[part] ?? '') ?? [];
  return parts.includes('') ? '' : parts.join('|');
}

/** Empty if the key parts are unchanged, so that a typed key is not replaced by older parts. */
function recomposedKey(stored: ChannelFields, typeId: number, config: ChannelConfig): string {
  const joined = composedKey(channelType(typeId), config);
  return joined === composedKey(channelType(stored.type), stored.config) ? '' : joined;
}

/** Appends the number, truncating the name if necessary. */
function numberedName(name: string, number: number): string {
  const suffix = ` ${number}`;
  const start = name.slice(0, channelNameLength.max - suffix.length).replace(/[\ud800-\udbff]$/, '');
  return `${start.trimEnd()}${suffix}`;
}
