import { channelProxy, isChannelTimeout, readChannelCost, splitCommas, type TagRules } from '@headgate/contract';
import { providers } from '@headgate/providers';
import { type KeyLoad, type RelayChannel, type Route, readRules } from '@headgate/relay';
import { readModelMapping } from '../../catalog/channels/channel-fields.ts';
import type { RelayChannelReader } from '../../catalog/channels/relay-channel-reader.ts';
import type { Binding } from './binding.ts';
import { keyLoads, withKeys } from './channel-keys.ts';

/** A model of a channel in cooldown; an empty name means all models. */
interface CooldownRow {
  readonly channel_id: number;
  readonly model: string;
}
type CooldownModels = ReadonlyMap<number, readonly CooldownRow[]>;

type ByModel = ReadonlyMap<string, readonly RelayChannel[]>;
type ByGroup = ReadonlyMap<string, ByModel>;

/** A channel that was disabled automatically and is tested until it works again. */
interface DownChannel {
  readonly id: number;
  readonly tag: string;
  readonly groups: readonly string[];
  readonly models: ReadonlySet<string>;
}

type Enabled = Awaited<ReturnType<RelayChannelReader['enabled']>>[number];

type Down = Awaited<ReturnType<RelayChannelReader['disabledByMonitor']>>[number];

const noTagRules: TagRules = new Map();

/** Enabled channels in memory, by group and model, reloaded whenever one changes. */
export class ChannelTable {
  readonly #channels: Pick<RelayChannelReader, 'enabled' | 'disabledByMonitor'>;
  readonly #readPauses: () => Promise<readonly CooldownRow[]>;
  readonly #tagRules: () => TagRules;
  #loadedTagRules: TagRules | undefined;
  #byGroup: ByGroup = new Map();
  /** Including channels in cooldown. */
  #withPaused: ByGroup = new Map();
  #byId: ReadonlyMap<number, RelayChannel> = new Map();
  #models: ReadonlySet<string> = new Set();
  #byChannel: ReadonlyMap<number, readonly string[]> = new Map();
  #paused: CooldownModels = new Map();
  #tags: ReadonlyMap<number, string> = new Map();
  #down: ReadonlyMap<number, DownChannel> = new Map();
  #readings = 0;
  #shown = 0;

  constructor(
    channels: Pick<RelayChannelReader, 'enabled' | 'disabledByMonitor'>,
    readPauses: () => Promise<readonly CooldownRow[]>,
    tagRules: () => TagRules = () => noTagRules,
  ) {
    this.#tagRules = tagRules;
    this.#channels = channels;
    this.#readPauses = readPauses;
  }

  /** Discards reads older than the loaded state, which would undo a change. */
  async load(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const [enabled, down, pauses] = await Promise.all([
      this.#channels.enabled(),
      this.#channels.disabledByMonitor(),
      this.#readPauses(),
    ]);
    const rows = enabled.filter(isRelayable);
    if (reading < this.#shown) return;
    this.#shown = reading;
    const tagRules = this.#tagRules();
    this.#loadedTagRules = tagRules;
    const known = keyLoads(this.#byId.values());
    const paused: CooldownModels = Map.groupBy(pauses, ({ channel_id }) => channel_id);
    const { byGroup, byId, byChannel } = indexed(rows, known, tagRules);
    this.#paused = paused;
    this.#withPaused = byGroup;
    this.#tags = new Map(rows.flatMap(({ id, tag }) => (tag ? [[id, tag] as const] : [])));
    this.#byGroup =
      paused.size === 0 ? byGroup : new Map([...byGroup].map(([group, all]) => [group, withoutPaused(all, paused)]));
    this.#byId = byId;
    this.#down = new Map(down.map((row) => [row.id, downChannelOf(row)]));
    this.#byChannel = byChannel;
    this.#models = new Set([...byGroup.values()].flatMap((byModel) => [...byModel.keys()]));
  }

  /** Reloads the channels if the rules of a tag have changed. */
  async loadWithTagRules(): Promise<void> {
    if (this.#tagRules() !== this.#loadedTagRules) await this.load();
  }

  /** Channels of the first group that serves the model, restricted by the binding if there is one. */
  route(groups: readonly string[], model: string, binding?: Binding): Route | undefined {
    for (const group of groups) {
      const channels = binding ? this.#bound(group, model, binding) : this.#byGroup.get(group)?.get(model);
      if (channels && channels.length > 0) return { group, channels };
    }
    return undefined;
  }

  /** A channel in cooldown is replaced only by another channel to which the token is bound. */
  #bound(group: string, model: string, binding: Binding): readonly RelayChannel[] {
    const all = this.#withPaused.get(group)?.get(model) ?? [];
    return withoutCooldowns(
      all.filter(({ id }) => this.isBound(id, binding)),
      model,
      this.#paused,
    );
  }

  /** True if a token with this binding may use the channel. */
  isBound(id: number, { channels, tags }: Binding): boolean {
    return channels.has(id) || tags.has(this.#tags.get(id) ?? '');
  }

  isDown(id: number): boolean {
    return this.#down.has(id);
  }

  /** True if an automatically disabled channel offers the model to one of the groups. */
  isOfferedByDown(groups: readonly string[], model: string, binding?: Binding): boolean {
    return this.#down
      .values()
      .some(
        (channel) =>
          channel.models.has(model) &&
          channel.groups.some((group) => groups.includes(group)) &&
          (!binding || binding.channels.has(channel.id) || binding.tags.has(channel.tag)),
      );
  }

  /** True if any channel serves the model for any group. */
  serves(model: string): boolean {
    return this.#models.has(model);
  }

  /** True if any channel offers the model, including channels that the monitor disabled. */
  knows(model: string): boolean {
    return this.#models.has(model) || this.#down.values().some((channel) => channel.models.has(model));
  }

  find(id: number): RelayChannel | undefined {
    return this.#byId.get(id);
  }

  /** A proxy channel that serves one of the groups. */
  findProxy(id: number, groups: readonly string[]): RelayChannel | undefined {
    const channel = this.#byId.get(id);
    const isProxy = channel && providers[channel.type as keyof typeof providers]?.isProxy;
    return isProxy && channel.groups.some((group) => groups.includes(group)) ? channel : undefined;
  }

  /** Channels skipped for a model of a group because they are in cooldown. */
  passedOver(group: string, model: string): readonly RelayChannel[] {
    const offering = this.#byGroup.get(group)?.get(model) ?? [];
    return (this.#withPaused.get(group)?.get(model) ?? []).filter((channel) => !offering.includes(channel));
  }

  /** Models of a channel in cooldown; an empty name means all of them. */
  pausedOn(id: number): readonly string[] {
    return this.#paused.get(id)?.map(({ model }) => model) ?? [];
  }

  isPaused(id: number, model: string): boolean {
    return isCoolingDown(this.#paused, id, model);
  }

  /** Models of one channel, sorted. */
  modelsOn(id: number): readonly string[] {
    return [...new Set(this.#byChannel.get(id))].sort();
  }

  /** Models available to any of the groups, sorted. */
  models(groups: readonly string[], binding?: Binding): readonly string[] {
    const served = [...new Set(groups.flatMap((group) => [...(this.#byGroup.get(group)?.keys() ?? [])]))].sort();
    return binding ? served.filter((model) => this.route(groups, model, binding)) : served;
  }
}

const isCoolingDown = (paused: CooldownModels, id: number, model: string): boolean =>
  paused.size > 0 && (paused.get(id)?.some((pause) => pause.model === '' || pause.model === model) ?? false);

/** Excludes channels in cooldown unless no others are left: a cooldown must not make a model unavailable. */
function withoutCooldowns(
  channels: readonly RelayChannel[],
  model: string,
  paused: CooldownModels,
): readonly RelayChannel[] {
  const rest = channels.filter(({ id }) => !isCoolingDown(paused, id, model));
  return rest.length > 0 ? rest : channels;
}

const withoutPaused = (byModel: ByModel, paused: CooldownModels): ByModel =>
  new Map([...byModel].map(([model, channels]) => [model, withoutCooldowns(channels, model, paused)]));

/** Indexes the channels by id, and by group and model. */
function indexed(rows: readonly Enabled[], known: ReadonlyMap<number, KeyLoad>, tagRules: TagRules) {
  const byGroup = new Map<string, Map<string, RelayChannel[]>>();
  const byId = new Map<number, RelayChannel>();
  const byChannel = new Map<number, readonly string[]>();
  for (const row of rows) {
    const only = toRelayChannel(row, tagRules);
    const channel = row.keys ? withKeys(only, { keys: row.keys, strategy: row.key_strategy, known }) : only;
    byId.set(channel.id, channel);
    const models = splitCommas(row.models);
    byChannel.set(channel.id, models);
    for (const group of channel.groups) {
      const byModel = byGroup.get(group) ?? new Map<string, RelayChannel[]>();
      byGroup.set(group, byModel);
      for (const model of models) addTo(byModel, model, channel);
    }
  }
  return { byGroup, byId, byChannel };
}

function addTo(byModel: Map<string, RelayChannel[]>, model: string, channel: RelayChannel): void {
  const served = byModel.get(model);
  if (served) served.push(channel);
  else byModel.set(model, [channel]);
}

export const isRelayable = ({ type }: Enabled): boolean => providers[type as keyof typeof providers] !== undefined;

/** `tagRules`: rules of all tags. */
export function toRelayChannel(row: Enabled, tagRules: TagRules): RelayChannel {
  const { id, type, name, key, priority, weight, other } = row;
  const config = row.config as Readonly<Record<string, string>>;
  return {
    id,
    type,
    name,
    tag: row.tag || undefined,
    key,
    priority,
    weight,
    other,
    baseUrl: row.base_url,
    groups: splitCommas(row.group),
    config,
    firstByteMs: limitIn(config['first_byte_seconds']),
    idleMs: limitIn(config['idle_seconds']),
    modelMapping: readModelMapping(row.model_mapping) ?? new Map(),
    systemPrompt: row.system_prompt,
    purchase: readChannelCost(row.purchase) || undefined,
    proxy: channelProxy(config),
    rules: readRules(row.rules, tagRules.get(row.tag ?? '')),
  };
}

const downChannelOf = ({ id, tag, group, models }: Down): DownChannel => ({
  id,
  tag,
  groups: splitCommas(group),
  models: new Set(splitCommas(models)),
});

/** Time limit in milliseconds; undefined if the channel has none or an invalid one. */
const limitIn = (seconds = ''): number | undefined =>
  seconds !== '' && isChannelTimeout(seconds) ? Number(seconds) * 1000 : undefined;
