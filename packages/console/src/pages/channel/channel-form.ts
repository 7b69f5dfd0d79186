import {
  type Channel,
  type ChannelField,
  type ChannelType,
  channelConfigKeys,
  channelNameLength,
  channelProxyKeys,
  channelTimeoutKeys,
  channelTimeouts,
  channelType,
  defaultChannelType,
  defaultGroup,
  splitCommas,
  stripTrailingSlash,
} from '@headgate/contract';
import { type EditMode, editedFields } from '../../lib/page/changed-fields.ts';
import { findJsonError } from '../../ui/form/json-error.ts';
import { costFields, serializeCost } from './channel-cost.ts';
import { normalizeRulesText } from './rules/rule-drafts.ts';

export interface ChannelForm {
  readonly type: number;
  readonly name: string;
  readonly groups: readonly string[];
  readonly models: readonly string[];
  readonly key: string;
  /** True if `key` holds one key per line. */
  readonly isBatch: boolean;
  /** True if all keys of a batch belong to one channel. */
  readonly isShared: boolean;
  readonly base_url: string;
  readonly other: string;
  readonly config: Readonly<Record<string, string>>;
  readonly model_mapping: string;
  readonly system_prompt: string;
  readonly tag: string;
  /** The operator's purchase price: a multiple of list prices, and lines with a model and dollars. */
  readonly purchase_multiplier: string;
  readonly purchase_models: string;
  /** Channel rules as JSON; may be invalid. */
  readonly rules: string;
}

/** State with which a form was opened. */
export interface OpenedChannel {
  /** Undefined for a new channel. */
  readonly id: number | undefined;
  readonly form: ChannelForm;
  /** Number of keys in the list; 0 for a single key. */
  readonly keyCount: number;
  /** Stored config secrets, which the server does not return. */
  readonly storedSecrets: readonly string[];
  /** Fields that a cloned channel keeps although the form does not show them. */
  readonly copiedFields: { readonly priority?: number; readonly weight?: number };
}

const configKeys = [...channelConfigKeys, ...channelTimeoutKeys, ...channelProxyKeys];
const emptyConfig = Object.fromEntries(configKeys.map((name) => [name, '']));

export const newChannel: OpenedChannel = {
  id: undefined,
  form: {
    type: defaultChannelType,
    name: '',
    groups: [defaultGroup],
    models: [],
    key: '',
    isBatch: false,
    isShared: false,
    base_url: '',
    other: '',
    config: emptyConfig,
    model_mapping: '',
    system_prompt: '',
    tag: '',
    purchase_multiplier: '',
    purchase_models: '',
    rules: '',
  },
  keyCount: 0,
  storedSecrets: [],
  copiedFields: {},
};

/** The server never returns the key; if left blank, the stored key is kept. */
export function openChannel(channel: Channel): OpenedChannel {
  const config = readConfig(channel.config);
  return {
    id: channel.id,
    form: {
      type: channel.type,
      name: channel.name,
      groups: splitCommas(channel.group || defaultGroup),
      models: splitCommas(channel.models),
      key: '',
      isBatch: false,
      isShared: false,
      base_url: channel.base_url ?? '',
      other: channel.other ?? '',
      config: { ...emptyConfig, ...config },
      model_mapping: pretty(channel.model_mapping ?? ''),
      system_prompt: channel.system_prompt ?? '',
      tag: channel.tag ?? '',
      ...costFields(channel.purchase),
      rules: normalizeRulesText(channel.rules ?? ''),
    },
    keyCount: channel.key_count,
    storedSecrets: [...secretNames(channelType(channel.type)), 'proxy_password'].filter((name) =>
      Object.hasOwn(config, name),
    ),
    copiedFields: {},
  };
}

/** Clones a channel without its secrets. */
export function copyChannel(channel: Channel, name: string): OpenedChannel {
  const { form } = openChannel(channel);
  return {
    id: undefined,
    form: { ...form, name: name.slice(0, channelNameLength.max) },
    keyCount: 0,
    storedSecrets: [],
    copiedFields: { priority: channel.priority ?? 0, weight: channel.weight ?? 0 },
  };
}

/** Request body of the form. */
export function bodyOf(form: ChannelForm, opened: OpenedChannel) {
  const type = channelType(form.type);
  const hasModels = !type?.withoutModels;
  return {
    name: form.name.trim(),
    type: form.type,
    key: keyOf(form),
    base_url: stripTrailingSlash(form.base_url.trim()),
    other: otherOf(form, opened),
    model_mapping: hasModels ? form.model_mapping.trim() : '',
    system_prompt: hasModels ? form.system_prompt : '',
    models: hasModels ? splitCommas(form.models.join(',')).join(',') : '',
    group: splitCommas(form.groups.join(',')).join(','),
    config: configOf(form, opened),
    // The tag is sent only if set or cleared, because other servers may not support tags.
    ...((form.tag.trim() || opened.form.tag) && { tag: form.tag.trim() }),
    ...((serializeCost(form) || serializeCost(opened.form)) && { purchase: serializeCost(form) }),
    ...((form.rules || opened.form.rules) && { rules: form.rules }),
    ...opened.copiedFields,
  };
}

/**
 * True if the key would be sent to a different base URL. Our server then requires the key again; other servers may not,
 * so saving is not blocked.
 */
export function requiresKeyReentry(form: ChannelForm, { id, form: before }: OpenedChannel): boolean {
  if (id === undefined) return false;
  const [address, stored] = [form, before].map(({ base_url }) => stripTrailingSlash(base_url.trim()));
  // Without TLS the proxy sees the key.
  if (address?.startsWith('http:') && isProxyChanged(form, before)) return true;
  return address !== stored || (address === '' && form.type !== before.type);
}

/** True if the stored proxy password will be discarded. */
export const isProxyChanged = ({ config }: ChannelForm, { config: before }: ChannelForm): boolean =>
  (config['proxy'] ?? '').trim() !== (before['proxy'] ?? '');

/** Request body of an edit. */
export const changeOf = (id: number, form: ChannelForm, opened: OpenedChannel, extent: EditMode) => ({
  id,
  ...editedFields(bodyOf(opened.form, opened), bodyOf(form, opened), extent),
});

/** Keys of a batch without empty lines. */
export const batchKeys = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The typed key, or the joined parts; empty while incomplete. */
export function keyOf({ type, key, isBatch, isShared, config }: ChannelForm): string {
  const parts = channelType(type)?.keyParts?.map((part) => config[part]?.trim() ?? '');
  if (parts) return parts.includes('') ? '' : parts.join('|');
  if (isBatch && isShared) return batchKeys(key)[0] ?? '';
  return isBatch ? batchKeys(key).join('\n') : key.trim();
}

/** Keys that are added to the new channel. */
export const additionalKeys = ({ type, key, isBatch, isShared }: ChannelForm): string[] =>
  isBatch && isShared && !channelType(type)?.keyParts ? batchKeys(key).slice(1) : [];

/** A setting without a form field is kept as long as the type is unchanged, because another program may have set it. */
function otherOf(form: ChannelForm, opened: OpenedChannel): string {
  const field = channelType(form.type)?.fields?.find(({ place }) => place === 'other');
  if (field) return form.other.trim() || (field.initial ?? '');
  return form.type === opened.form.type ? form.other : '';
}

/** Settings of this type as JSON. Settings of other types are dropped, unknown ones are kept. */
function configOf(form: ChannelForm, opened: OpenedChannel): string {
  const own = new Set([
    ...[...configFields(channelType(form.type)), ...channelTimeouts].map(configName),
    ...channelProxyKeys,
  ]);
  const known: ReadonlySet<string> = new Set(configKeys);
  const isKept = (name: string) => own.has(name) || (!known.has(name) && form.type === opened.form.type);
  const kept = Object.entries(form.config)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([name, value]) => isKept(name) && value !== '');
  return kept.length === 0 ? '' : JSON.stringify(Object.fromEntries(kept));
}

const configFields = (type: ChannelType | undefined): readonly ChannelField[] =>
  (type?.fields ?? []).filter(({ place }) => place.startsWith('config.'));

export const configName = ({ place }: ChannelField): string => place.replace(/^config\./, '');

const secretNames = (type: ChannelType | undefined): string[] =>
  configFields(type)
    .filter(({ secret }) => secret)
    .map(configName);

function readConfig(text: string): Record<string, string> {
  if (text.trim() === '' || findJsonError(text)) return {};
  const config: unknown = JSON.parse(text);
  if (!isRecord(config)) return {};
  return Object.fromEntries(Object.entries(config).filter((entry): entry is [string, string] => isText(entry[1])));
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const pretty = (json: string): string =>
  json.trim() === '' || findJsonError(json) ? json : JSON.stringify(JSON.parse(json), null, 2);
