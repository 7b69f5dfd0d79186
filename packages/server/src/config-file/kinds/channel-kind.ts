import { channelCreation, channelStatus, channelType, channelTypes } from '@headgate/contract';
import type { z } from 'zod';
import { isSecretConfig } from '../../channels/channel-config.ts';
import type { ChannelFields } from '../../channels/channel-fields.ts';
import { type ChannelCreation, newChannels } from '../../channels/channel-input.ts';
import type { ConfigFile } from '../config-file.ts';
import type { ChannelEntry } from '../file-schema.ts';
import { SecretText } from '../secret-text.ts';
import type { Fields, Found, Wanted, Written } from '../things.ts';
import { type Kind, oneByOne, type Writing } from './kind.ts';

interface GivenChannel {
  readonly creation: ChannelCreation;
  readonly isEnabled: boolean;
}

export const channelKind: Kind<GivenChannel> = {
  kind: 'channel',
  section: 'channels',

  wanted(file) {
    return Object.entries(file.document.channels ?? {}).map(([name, entry]) => wantedChannel(file, name, entry));
  },

  async found({ channels }, { names, ids }) {
    const named = await oneByOne(names, (name) => channels.idsNamed(name));
    const all = [...new Set([...named.flat(), ...ids])];
    return (await oneByOne(all, (id) => channels.openIfThere(id))).flatMap((channel): Found[] =>
      channel ? [{ id: channel.id, name: channel.name, fields: fieldsOf(channel, channel) }] : [],
    );
  },

  write(writing, changes) {
    return oneByOne(changes, (change) => writing.at(change.name, () => writeChannel(writing, change)));
  },

  async remove({ actor, channels }, found) {
    await oneByOne(found, ({ id }) => channels.remove(actor, id));
  },
};

function wantedChannel(file: ConfigFile, name: string, entry: ChannelEntry): Wanted<GivenChannel> {
  const path = ['channels', name];
  refuseOpenSecrets(file, path, entry);
  const parsed = channelCreation.safeParse(creationOf(file, name, entry));
  if (!parsed.success) throw file.fault(path, `cannot be a channel (${parsed.error.issues[0]?.path.join('.')}).`);
  const creation = parsed.data;
  if (creation.name !== name) throw file.fault(path, 'has blanks around its name.');
  const [channel, ...others] = file.judge(path, () => newChannels(creation));
  if (others.length > 0)
    throw file.fault([...path, 'key'], 'holds several keys, one in a line; a channel has one here.');
  const config = Object.entries(entry.config ?? {});
  const hidden = new Set(config.filter(([, value]) => typeof value === 'object').map(([field]) => field));
  return {
    name,
    fields: fieldsOf({ ...channel, status: statusOf(entry.enabled) }, { hidden }),
    given: { creation, isEnabled: entry.enabled },
  };
}

/** A channel as the API is asked to make it; what the file leaves out is empty. */
function creationOf(file: ConfigFile, name: string, entry: ChannelEntry): z.input<typeof channelCreation> {
  const { type, models, groups, model_mapping, purchase, base_url = '', other = '', system_prompt = '' } = entry;
  const { priority = 0, weight = 0, tag = '', key_strategy } = entry;
  return {
    ...{ name, base_url, other, system_prompt, priority, weight, tag, key_strategy },
    type: typeof type === 'number' ? type : channelTypes.find((row) => row.name === type)?.id,
    key: entry.key ? file.secret(['channels', name, 'key'], entry.key).reveal() : '',
    models: models.join(','),
    group: groups.join(','),
    model_mapping: jsonOf(model_mapping),
    purchase: jsonOf(purchase),
    config: configOf(file, name, entry),
  };
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

/** What is a secret elsewhere may not stand in the file. */
function refuseOpenSecrets(file: ConfigFile, path: readonly string[], { config = {} }: ChannelEntry): void {
  const open = Object.entries(config).find(([name, value]) => typeof value !== 'object' && isSecretConfig(name));
  if (open) throw file.fault([...path, 'config', open[0]], 'is a secret: give it as { env: NAME } or { file: path }.');
}

/** A channel that failed was switched off for the time being by the gateway itself: that is no difference. */
function fieldsOf(
  { status, key, config, type, ...rest }: ChannelFields,
  { hasKeys = false, hidden }: { readonly hasKeys?: boolean; readonly hidden?: ReadonlySet<string> } = {},
): Fields {
  const settings = Object.entries(config).map(([name, value]) => [
    `config.${name}`,
    isSecretConfig(name) || hidden?.has(name) ? new SecretText(value) : value,
  ]);
  return {
    type: channelType(type)?.name ?? String(type),
    models: rest.models,
    groups: rest.group,
    base_url: rest.base_url,
    other: rest.other,
    model_mapping: rest.model_mapping,
    system_prompt: rest.system_prompt,
    purchase: rest.purchase,
    priority: rest.priority,
    weight: rest.weight,
    tag: rest.tag,
    key_strategy: rest.key_strategy,
    // One of several keys is not the only one, whichever it is.
    key: new SecretText(hasKeys ? '' : key),
    ...Object.fromEntries(settings),
    enabled: status !== channelStatus.disabled,
  };
}

async function writeChannel({ services }: Writing<GivenChannel>, change: Written<GivenChannel>): Promise<number> {
  const { actor, channels } = services;
  const { found, fields } = change;
  const { creation, isEnabled } = change.wanted.given;
  const [made] = found ? [found.id] : await channels.create(actor, creation);
  const id = made ?? 0;
  const isSwitched = found ? fields.some(({ field }) => field === 'enabled') : !isEnabled;
  const status = isSwitched ? { status: statusOf(isEnabled) } : {};
  if (found) await channels.update(actor, { ...creation, id, ...status });
  else if (isSwitched) await channels.update(actor, { id, ...status });
  return id;
}
