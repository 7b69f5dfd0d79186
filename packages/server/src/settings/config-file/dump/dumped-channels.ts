import {
  type ChannelRule,
  type ChannelRuleAction,
  channelStatus,
  channelType,
  channelTypes,
  defaultGroup,
  mapActions,
  readChannelCost,
  readChannelRules,
  splitCommas,
} from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { isSecretSetting } from '../../../catalog/channels/channel-config.ts';
import type { ChannelService } from '../../../catalog/channels/channel-service.ts';
import { isSecretAction } from '../../../catalog/channels/rule-secrets.ts';
import { mapSequentially } from '../kinds/object-kind.ts';
import { type DumpContext, type DumpSection, omitDefault, withUniqueNames } from './dump-section.ts';

type Channel = Awaited<ReturnType<ChannelService['open']>>;

export const dumpedChannels: DumpSection = {
  kind: 'channel',
  section: 'channels',
  async entries(dumping) {
    const { channels } = dumping.services;
    const found = await mapSequentially(await channels.idsToTest('all'), (id) => channels.findWithKeyIfExists(id));
    const all = found.filter((channel) => channel !== undefined).sort((one, other) => one.id - other.id);
    const leave = (name: string) =>
      dumping.leave('channel', name, 'the name is ambiguous: give each a unique name in the console');
    const named = withUniqueNames(all, ({ name }) => name, leave);
    return mapSequentially(named, async (channel) => [channel.name, await entryOf(channel, dumping)] as const);
  },
};

async function entryOf(channel: Channel, dumping: DumpContext): Promise<object> {
  const { base_url, other, system_prompt, priority, weight, tag, key_strategy } = channel;
  const purchase = readChannelCost(channel.purchase);
  const { rules = [] } = readChannelRules(channel.rules);
  return {
    type: typeOf(channel.type),
    ...(await keysOf(channel, dumping)),
    models: omitDefault(splitCommas(channel.models), []),
    groups: omitDefault(splitCommas(channel.group), [defaultGroup]),
    enabled: omitDefault(channel.status !== channelStatus.disabled, true),
    base_url: omitDefault(base_url, ''),
    other: omitDefault(other, ''),
    model_mapping: channel.model_mapping === '' ? undefined : parseJson(channel.model_mapping),
    system_prompt: omitDefault(system_prompt, ''),
    purchase: purchase === false ? undefined : purchase,
    rules: omitDefault(withReferences(rules, channel, dumping), []),
    config: configOf(channel, dumping),
    priority: omitDefault(priority, 0),
    weight: omitDefault(weight, 0),
    tag: omitDefault(tag, ''),
    key_strategy: omitDefault(key_strategy, 'round_robin'),
  };
}

/** Rules with variables instead of credentials. */
const withReferences = (
  rules: readonly ChannelRule[],
  channel: Channel,
  { variables }: DumpContext,
): readonly object[] =>
  rules.map((rule) =>
    mapActions(rule, (action: ChannelRuleAction) =>
      isSecretAction(action)
        ? { ...action, value: variables.refer([...variableWordsOf(channel), action.header], action.value) }
        : action,
    ),
  );

/** The type's name, or its id when the name is ambiguous. */
const typeOf = (type: number): string | number => {
  const name = channelType(type)?.name;
  return name !== undefined && channelTypes.find((row) => row.name === name)?.id === type ? name : type;
};

async function keysOf(channel: Channel, { services, variables }: DumpContext): Promise<object> {
  if (channel.hasKeys) {
    const keys = await services.channelKeys.open(channel.id);
    return {
      keys: keys.map(({ key, weight, cost_percent }, index) => ({
        ...variables.refer([...variableWordsOf(channel), 'key', String(index + 1)], key),
        // A single key has no weight and no cost.
        ...(keys.length > 1 && { weight: omitDefault(weight, 1), cost_percent: omitDefault(cost_percent, 100) }),
      })),
    };
  }
  const parts = channelType(channel.type)?.keyParts?.map((part) => channel.config[part] ?? '');
  // The key is composed of fields that are already in the config.
  if (parts && !parts.includes('') && parts.join('|') === channel.key) return {};
  return { key: variables.refer([...variableWordsOf(channel), 'key'], channel.key) };
}

function configOf(channel: Channel, { variables }: DumpContext): object | undefined {
  const settings = Object.entries(channel.config).map(([name, value]) => [
    name,
    isSecretSetting(name) ? variables.refer([...variableWordsOf(channel), name], value) : value,
  ]);
  return settings.length === 0 ? undefined : Object.fromEntries(settings);
}

/** Parts of the variable name; a name without ASCII letters is replaced by the id. */
const variableWordsOf = ({ id, name }: Channel): string[] => (/[A-Za-z]/.test(name) ? [name] : ['channel', String(id)]);
