import {
  apiKeyPlaceholder,
  type ChannelFields,
  channelCreation,
  channelStatus,
  channelType,
  channelTypes,
  isSecretHeaderValue,
  mapActions,
  readProxyUrl,
  splitCommas,
} from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { z } from 'zod';
import { isSecretSetting } from '../../../catalog/channels/channel-config.ts';
import { type ChannelCreation, newChannels } from '../../../catalog/channels/channel-input.ts';
import { parseKeyLines } from '../../../catalog/channels/key-lines.ts';
import { blankRuleSecrets, serializeRuleSecrets } from '../../../catalog/channels/rule-secrets.ts';
import type { ConfigFile } from '../config-file.ts';
import type { ChannelEntry } from '../file-schema.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { SecretText } from '../secret-text.ts';
import type { Path } from '../yaml-text.ts';
import { joinKeys, type KeyTerms, keyFieldNames, keyFields, readKeys, writeKeys } from './key-terms.ts';
import { mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenChannel {
  readonly creation: ChannelCreation;
  /** All keys if there are several; otherwise empty, and `creation` contains the key. */
  readonly keys: readonly KeyTerms[];
  readonly isEnabled: boolean;
}

export const channelKind: ObjectKind<GivenChannel> = {
  kind: 'channel',
  section: 'channels',

  wanted(file) {
    return Object.entries(file.document.channels ?? {}).map(([name, entry]) => wantedChannel(file, name, entry));
  },

  async found({ channels, channelKeys }, { names, ids }) {
    const named = await mapSequentially(names, (name) => channels.idsNamed(name));
    const all = [...new Set([...named.flat(), ...ids])];
    const found = await mapSequentially(all, async (id): Promise<StoredObject[]> => {
      const channel = await channels.findWithKeyIfExists(id);
      if (!channel) return [];
      const keys = channel.hasKeys ? await channelKeys.open(id) : undefined;
      return [{ id, name: channel.name, fields: fieldsOf(channel, { keys }) }];
    });
    return found.flat();
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeChannel(writing, change)));
  },

  async remove({ actor, channels }, found) {
    await mapSequentially(found, ({ id }) => channels.remove(actor, id));
  },
};

function wantedChannel(file: ConfigFile, name: string, entry: ChannelEntry): DesiredObject<GivenChannel> {
  const path = ['channels', name];
  rejectPlainSecrets(file, path, entry);
  const keys = readKeys(file, name, entry);
  const creation = file.validated(
    path,
    channelCreation,
    creationOf(file, name, { ...entry, keyText: keys[0]?.key ?? '' }),
  );
  if (creation.name !== name) throw file.errorAt(path, 'has spaces around its name.');
  const [channel, ...others] = file.validate(path, () => newChannels(creation));
  if (others.length > 0) throw file.errorAt([...path, 'key'], 'contains several keys, one per line: use keys instead.');
  if (keys.length > 1) file.validate([...path, 'keys'], () => parseKeyLines(channel, joinKeys(keys)));
  const config = Object.entries(entry.config ?? {});
  const hidden = new Set(config.filter(([, value]) => typeof value === 'object').map(([field]) => field));
  const several = keys.length > 1 ? keys : [];
  return {
    name,
    previousName: entry.previous_name,
    fields: fieldsOf(
      { ...channel, status: statusOf(entry.enabled) },
      { keys: several.length > 0 ? several : undefined, hidden },
    ),
    // A composed key is passed in full, regardless of the stored key.
    input: { creation: { ...creation, key: channel.key }, keys: several, isEnabled: entry.enabled },
  };
}

interface KeyedEntry extends ChannelEntry {
  readonly keyText: string;
}

/** API request for a channel; fields missing in the file are empty. */
function creationOf(file: ConfigFile, name: string, entry: KeyedEntry): z.input<typeof channelCreation> {
  const { type, models, groups, model_mapping, purchase, rules, base_url = '', other = '', system_prompt = '' } = entry;
  const { priority = 0, weight = 0, tag = '', key_strategy } = entry;
  return {
    ...{ name, base_url, other, system_prompt, priority, weight, tag, key_strategy },
    type: typeof type === 'number' ? type : channelTypes.find((row) => row.name === type)?.id,
    key: entry.keyText,
    models: models.join(','),
    group: groups.join(','),
    model_mapping: jsonOf(model_mapping),
    purchase: jsonOf(purchase),
    rules: jsonOf(rulesOf(file, name, rules)),
    config: configOf(file, name, entry),
  };
}

/** Rules with the credentials that the file refers to. */
const rulesOf = (file: ConfigFile, name: string, rules: ChannelEntry['rules']): object | undefined =>
  rules?.map((rule, index) =>
    mapActions(rule, (action: (typeof rule)['then'][number], position) =>
      action.do === 'set_header'
        ? { ...action, value: headerValue(file, ['channels', name, 'rules', index, 'then', position, 'value'], action) }
        : action,
    ),
  );

type HeaderEntry = Pick<Extract<RuleEntry, { readonly do: 'set_header' }>, 'header' | 'value'>;
type RuleEntry = NonNullable<ChannelEntry['rules']>[number]['then'][number];

function headerValue(file: ConfigFile, path: Path, { header, value }: HeaderEntry): string {
  // Without secrets, a placeholder would not be a valid value for every header.
  if (typeof value === 'object')
    return file.isOffline ? `secret ${apiKeyPlaceholder}` : file.secret(path, value).reveal();
  if (isSecretHeaderValue(header, value)) throw file.errorAt(path, 'is a secret: use { env: NAME } or { file: path }.');
  return value;
}

const jsonOf = (value: object | undefined): string => (value ? JSON.stringify(value) : '');

function configOf(file: ConfigFile, name: string, { config = {} }: ChannelEntry): string {
  const texts = Object.entries(config).map(([field, value]) => [
    field,
    typeof value === 'object' ? file.secret(['channels', name, 'config', field], value).reveal() : String(value),
  ]);
  return texts.length === 0 ? '' : JSON.stringify(Object.fromEntries(texts));
}

const statusOf = (isEnabled: boolean) => (isEnabled ? channelStatus.enabled : channelStatus.disabled);

/** Secret settings must not be in the file in plain text. */
function rejectPlainSecrets(file: ConfigFile, path: readonly string[], { config = {} }: ChannelEntry): void {
  const open = Object.entries(config).find(([name, value]) => typeof value !== 'object' && isSecretSetting(name));
  if (open) throw file.errorAt([...path, 'config', open[0]], 'is a secret: use { env: NAME } or { file: path }.');
  if (readProxyUrl(String(config['proxy'] ?? ''))?.password)
    throw file.errorAt([...path, 'config', 'proxy'], 'contains a password: use proxy_password with { env: NAME }.');
}

/** Fields to compare. An automatic disable is temporary and does not count as a difference. */
function fieldsOf(
  { status, key, config, type, ...rest }: ChannelFields,
  { keys, hidden }: { readonly keys: readonly KeyTerms[] | undefined; readonly hidden?: ReadonlySet<string> },
): Fields {
  const settings = Object.entries(config).map(([name, value]) => [
    `config.${name}`,
    isSecretSetting(name) || hidden?.has(name) ? new SecretText(value) : value,
  ]);
  return {
    type: channelType(type)?.name ?? String(type),
    models: splitCommas(rest.models).join(','),
    groups: splitCommas(rest.group).join(','),
    base_url: rest.base_url,
    other: rest.other,
    model_mapping: normalizedJson(rest.model_mapping),
    system_prompt: rest.system_prompt,
    purchase: rest.purchase,
    rules: blankRuleSecrets(rest.rules),
    'rules.secrets': new SecretText(serializeRuleSecrets(rest.rules)),
    priority: rest.priority,
    weight: rest.weight,
    tag: rest.tag,
    key_strategy: rest.key_strategy,
    // With several keys, the single-key field is empty.
    key: new SecretText(keys ? '' : key),
    ...keyFields(keys ?? []),
    ...Object.fromEntries(settings),
    enabled: status !== channelStatus.disabled,
  };
}

/** Normalizes whitespace. */
const normalizedJson = (json: string): string => JSON.stringify(parseJson(json)) ?? json;

async function writeChannel(writing: WriteContext<GivenChannel>, change: WrittenChange<GivenChannel>): Promise<number> {
  const { actor, channels, channelKeys } = writing.services;
  const { found, fields } = change;
  const { creation, keys, isEnabled } = change.wanted.input;
  const differs = (...names: readonly string[]) => fields.some(({ field }) => names.includes(field));
  const [made] = found ? [found.id] : await channels.create(actor, creation);
  const id = made ?? 0;
  const isSwitched = found ? differs('enabled') : !isEnabled;
  const status = isSwitched ? { status: statusOf(isEnabled) } : {};
  // Existing keys stay with their usage data, unless they would be sent to another address.
  const isKept = keys.length > 0 && !differs('type', 'base_url');
  if (found) await channels.update(actor, { ...creation, ...(isKept && { key: '' }), id, ...status });
  else if (isSwitched) await channels.update(actor, { id, ...status });
  if (keys.length > 0 && (!isKept || differs('key', ...keyFieldNames)))
    await writeKeys({ actor, channelKeys }, id, keys);
  return id;
}
