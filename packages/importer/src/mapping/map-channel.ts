import { createHash } from 'node:crypto';
import {
  type ChannelFields,
  channelNameLength,
  channelStatus,
  channelTagLength,
  channelType,
  defaultGroup,
  type KeyStrategy,
  maxKeysPerChannel,
  splitCommas,
} from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { SourceKind, SourceRow } from '../source/source.ts';
import {
  clamp,
  importNotes,
  maxQuota,
  readInteger,
  readJsonObject,
  readText,
  readTime,
  truncate,
} from '../source/source-values.ts';
import type { TargetRules } from '../target.ts';
import { type ChannelSettings, readChannelSettings } from './channel-settings.ts';
import { channelTypeMappings, channelTypeName } from './channel-type-names.ts';
import type { MappedRow } from './map-options.ts';

interface ChannelContext {
  readonly kind: SourceKind;
  readonly rules: ChannelRules;
}

export interface ImportedChannel {
  readonly sourceId: string;
  readonly fields: ChannelFields;
  /** All keys with their own status; empty if the channel has a single key, which is in `fields`. */
  readonly keys: readonly Pick<ChannelKey, 'key' | 'status'>[];
  /** Values measured by the source. */
  readonly found: {
    readonly created_time: number;
    readonly test_time: number;
    readonly response_time: number;
    readonly balance: number;
    readonly balance_updated_time: number;
    readonly used_quota: number;
  };
}

const maxPriority = 1_000_000;

type ChannelRules = Pick<TargetRules, 'checkChannel' | 'checkChannelKey'>;

export function mapChannel(row: SourceRow, { kind, rules }: ChannelContext): readonly MappedRow<ImportedChannel>[] {
  const fault = readText(row, 'fault');
  if (fault !== '') return [{ reason: fault }];
  const typeId = readInteger(row, 'type');
  const typeName = channelTypeName(kind, typeId);
  const counterpart = typeName === undefined ? undefined : channelTypeMappings[typeName];
  if (typeName === undefined || !counterpart) {
    return [{ reason: `has type ${typeName ?? typeId}, which is not supported here` }];
  }
  const changes = importNotes(row);
  const settings = readChannelSettings(row, { typeName, counterpart, changes });
  if ('reason' in settings) return [settings];
  const keys = channelKeys(row);
  if (keys.length === 0) return [{ reason: 'has no key' }];
  const parts = { row, type: counterpart.type, settings, keys, changes, rules };
  // Types with a multi-part key support one key per channel.
  const mayHaveKeys = channelType(counterpart.type)?.keyParts === undefined;
  return mayHaveKeys && keys.length > 1 ? [withAllKeys(parts)] : onePerKey(parts);
}

interface Parts {
  readonly row: SourceRow;
  readonly type: number;
  readonly settings: ChannelSettings;
  readonly keys: readonly ChannelKey[];
  readonly changes: string[];
  readonly rules: ChannelRules;
}

/** One channel with all keys. Invalid keys are dropped. */
function withAllKeys({ row, type, settings, keys, changes, rules }: Parts): MappedRow<ImportedChannel> {
  const common = { ...commonFields(row, false), ...settings.fields, type, config: {} };
  const judged = keys.map(({ key, status }) => {
    const own = settings.keyOf(key);
    return 'reason' in own ? own : rules.checkChannelKey({ ...common, ...own, status });
  });
  const sound = judged.flatMap((outcome) => ('reason' in outcome ? [] : outcome));
  const [first] = sound;
  if (!first) return judged.find((outcome) => 'reason' in outcome) ?? { reason: 'has no key' };
  const odd = judged.length - sound.length;
  if (odd > 0) changes.push(`loses ${odd} of its ${judged.length} keys, which are invalid here`);
  const most = sound.slice(0, maxKeysPerChannel);
  if (most.length < sound.length)
    changes.push(`keeps the first ${most.length} of its ${sound.length} keys, the maximum per channel`);
  const enabled = most.find(({ status }) => status === channelStatus.enabled);
  // Same status as a channel whose last key was disabled.
  const status = combinedStatus(
    channelStatusOf(row),
    enabled ? channelStatus.enabled : channelStatus.disabledByMonitor,
  );
  const channel: ImportedChannel = {
    sourceId: String(readInteger(row, 'id')),
    fields: { ...(enabled ?? first), status: settings.isBroken ? disabledIfEnabled(status) : status },
    keys: most.map(({ key, status: ofKey }) => ({ key, status: ofKey })),
    found: metricsOf(row, true),
  };
  return checked(channel, changes, rules);
}

/** One channel per key, for types that support a single key. The first channel gets the used quota. */
function onePerKey({ row, type, settings, keys, changes, rules }: Parts): readonly MappedRow<ImportedChannel>[] {
  const id = readInteger(row, 'id');
  const ofChannel = channelStatusOf(row);
  const isSplit = keys.length > 1;
  const most = keys.slice(0, maxKeysPerChannel);
  if (isSplit) changes.push(`becomes ${most.length} channels, one per key`);
  if (most.length < keys.length) changes.push(`loses ${keys.length - most.length} of its ${keys.length} keys`);
  const common = { ...commonFields(row, isSplit), ...settings.fields, type };
  return most.map(({ key, status, mark }, index) => {
    const own = settings.keyOf(key);
    if ('reason' in own) return own;
    const fields: ChannelFields = {
      ...common,
      ...own,
      name: isSplit ? numbered(common.name, index + 1) : common.name,
      status: settings.isBroken
        ? disabledIfEnabled(combinedStatus(ofChannel, status))
        : combinedStatus(ofChannel, status),
    };
    const sourceId = isSplit ? `${id}:${mark}` : String(id);
    const channel = { sourceId, fields, keys: [], found: metricsOf(row, index === 0) };
    return checked(channel, index === 0 ? changes : [], rules);
  });
}

const disabledIfEnabled = (status: number) => (status === channelStatus.enabled ? channelStatus.disabled : status);

/** Channels split from one source channel share a tag. */
function commonFields(row: SourceRow, isSplit: boolean) {
  const name =
    truncate(withoutLines(readText(row, 'name')), channelNameLength.max) || `channel ${readInteger(row, 'id')}`;
  return {
    name,
    models: splitCommas(readText(row, 'models')).join(','),
    group: splitCommas(readText(row, 'group')).join(',') || defaultGroup,
    priority: clamp(readInteger(row, 'priority'), maxPriority),
    weight: Math.max(0, clamp(readInteger(row, 'weight'), maxPriority)),
    tag: truncate(withoutLines(readText(row, 'tag')) || (isSplit ? name : ''), channelTagLength.max),
    purchase: '',
    rules: '',
    key_strategy: keyStrategyOf(row),
  };
}

function checked(
  channel: ImportedChannel,
  changes: readonly string[],
  rules: ChannelRules,
): MappedRow<ImportedChannel> {
  const fields = rules.checkChannel(channel.fields);
  return 'reason' in fields ? fields : { row: { ...channel, fields }, changes };
}

function metricsOf(row: SourceRow, isFirst: boolean): ImportedChannel['found'] {
  const balance = Number(row['balance'] ?? 0);
  return {
    created_time: readTime(row, 'created_time'),
    test_time: readTime(row, 'test_time'),
    response_time: readTime(row, 'response_time'),
    balance: Number.isFinite(balance) && isFirst ? balance : 0,
    balance_updated_time: readTime(row, 'balance_updated_time'),
    used_quota: isFirst ? Math.max(0, clamp(readInteger(row, 'used_quota'), maxQuota)) : 0,
  };
}

const withoutLines = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim();

function numbered(name: string, number: number): string {
  const suffix = ` ${number}`;
  return `${truncate(name, channelNameLength.max - suffix.length).trimEnd()}${suffix}`;
}

interface ChannelKey {
  readonly key: string;
  /** Status of the key, independent of the channel's status. */
  readonly status: number;
  /** Unique within the channel; empty if the channel has a single key. */
  readonly mark: string;
}

/** Keys of a channel with their status. A new-api channel may have several keys, as lines or as a JSON array. */
function channelKeys(row: SourceRow): readonly ChannelKey[] {
  const text = readText(row, 'key').trim();
  const about = readJsonObject(row, 'channel_info') ?? {};
  if (about['is_multi_key'] !== true) return [{ key: text, status: channelStatus.enabled, mark: '' }];
  const states = statesOf(about['multi_key_status_list']);
  const keys = keysIn(text).map((key, index) => ({
    key,
    status: stateOf(states[index]),
    mark: createHash('sha256').update(key).digest('hex').slice(0, 16),
  }));
  return [...new Map(keys.filter(({ key }) => key !== '').map((each) => [each.mark, each])).values()];
}

/** new-api selects the keys of a channel at random or round-robin. */
const keyStrategyOf = (row: SourceRow): KeyStrategy =>
  readJsonObject(row, 'channel_info')?.['multi_key_mode'] === 'random' ? 'random' : 'round_robin';

/** Unknown statuses are imported as disabled. */
function channelStatusOf(row: SourceRow): number {
  const status = readInteger(row, 'status');
  return status === channelStatus.enabled || status === channelStatus.disabledByMonitor
    ? status
    : channelStatus.disabled;
}

/** Multi-line keys, such as JSON documents, are stored as a JSON array. */
function keysIn(text: string): readonly string[] {
  if (text.startsWith('[')) {
    // The text may also be plain lines, of which the first starts with a bracket.
    const parsed = parseJson(text);
    if (Array.isArray(parsed)) return parsed.map((key) => (typeof key === 'string' ? key.trim() : JSON.stringify(key)));
  }
  return text.split('\n').map((line) => line.trim());
}

const statesOf = (list: unknown): Readonly<Record<string, unknown>> =>
  typeof list === 'object' && list !== null ? (list as Readonly<Record<string, unknown>>) : {};

function stateOf(ofKey: unknown = channelStatus.enabled): number {
  return ofKey === channelStatus.enabled || ofKey === channelStatus.disabledByMonitor ? ofKey : channelStatus.disabled;
}

/** Enabled only if both the channel and the key are enabled. */
const combinedStatus = (ofChannel: number, ofKey: number): number =>
  ofChannel === channelStatus.enabled ? ofKey : ofChannel;
