import { type Channel, type ChannelFields, channelStatus, readChannelRules } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { blankOutSecrets, type ChannelConfig, parseConfig, writeConfig } from './channel-config.ts';
import { type FieldName, readModelMapping } from './channel-fields.ts';
import type { ChannelChange, ChannelRow, NewChannel } from './channel-repository.ts';
import { blankRuleSecrets } from './rule-secrets.ts';

/** State of a channel on this node. */
interface ChannelNodeState {
  readonly cooldownMs: number;
  readonly paused: readonly string[];
}

/** Channel for API responses: without its key, and with blank secrets in config and rules. */
export function presentChannel(
  row: ChannelRow,
  box: SecretBox,
  now: ChannelNodeState = { cooldownMs: 0, paused: [] },
): Channel {
  const { key_sealed: _key, key_fingerprint: _fingerprint, config_sealed, rules, is_failing, ...rest } = row;
  return {
    ...rest,
    key: '',
    config: writeConfig(blankOutSecrets(openedConfig(config_sealed, box) ?? {})),
    rules: omitRuleSecrets(rules, box),
    is_failing: is_failing === 1,
    cooldown_seconds: Math.ceil(now.cooldownMs / 1000),
    paused_models: [...now.paused],
  };
}

/**
 * Fields of a stored channel for requests to its upstream. A channel with a field that cannot be read is never used:
 * without its settings and rules, requests could bypass its proxy or a rule that rejects them.
 */
export function decryptChannelFields(row: ChannelRow, box: SecretBox): ChannelFields {
  const { key, config, rules } = openedFields(row, box);
  const areRulesValid = rules !== undefined && readChannelRules(rules).problem === undefined;
  if (key === undefined || !config || !areRulesValid || !readModelMapping(row.model_mapping))
    throw new ApiError('channelUnreadable', { id: String(row.id) });
  return { ...plainFields(row), key, config, rules };
}

/** Fields of a stored channel for editing. Fields that cannot be read are empty, so that they can be entered again. */
export function editableChannelFields(row: ChannelRow, box: SecretBox): ChannelFields {
  const { key = '', config = {}, rules = '' } = openedFields(row, box);
  return { ...plainFields(row), key, config, rules };
}

function plainFields(row: ChannelRow): Omit<ChannelFields, 'key' | 'config' | 'rules'> {
  const { type, name, models, group, base_url, other, model_mapping, system_prompt, purchase } = row;
  const { status, priority, weight, tag, key_strategy } = row;
  return {
    ...{ purchase, type, name, models, group, base_url, other, model_mapping, system_prompt },
    ...{ status, priority, weight, tag, key_strategy },
  };
}

/** Encrypted fields; undefined if they cannot be read. */
function openedFields(row: ChannelRow, box: SecretBox) {
  return {
    key: box.openIfReadable(row.key_sealed),
    config: openedConfig(row.config_sealed, box),
    rules: openedText(row.rules, box),
  };
}

/** Row of a new channel. */
export const newChannelRow = ({ key, config, rules, ...rest }: ChannelFields, box: SecretBox): NewChannel => ({
  ...rest,
  ...keyColumns(key, box),
  config_sealed: sealText(writeConfig(config), box),
  rules: sealText(rules, box),
  status_reason: '',
  created_time: nowInSeconds(),
  test_time: 0,
  response_time: 0,
  balance: 0,
  balance_updated_time: 0,
  used_quota: 0,
});

/** Columns of the changed fields; unchanged ones are not encrypted again. */
export function changedColumns(fields: ChannelFields, changed: readonly FieldName[], box: SecretBox): ChannelChange {
  const { key, config, rules, ...rest } = fields;
  const isChanged = (name: string) => changed.includes(name as FieldName);
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([name]) => isChanged(name))),
    ...(isChanged('key') && keyColumns(key, box)),
    ...(isChanged('config') && { config_sealed: sealText(writeConfig(config), box) }),
    ...(isChanged('rules') && { rules: sealText(rules, box) }),
    ...(isChanged('status') && fields.status === channelStatus.enabled && { status_reason: '' }),
  };
}

const keyColumns = (key: string, box: SecretBox) => ({
  key_sealed: box.seal(key),
  key_fingerprint: box.fingerprint(key),
});

/** Rules for API responses: credentials are blank. */
export const omitRuleSecrets = (sealed: string, box: SecretBox): string =>
  blankRuleSecrets(openedText(sealed, box) ?? '');

function openedConfig(sealed: string, box: SecretBox): ChannelConfig | undefined {
  const text = openedText(sealed, box);
  return text === undefined ? undefined : parseConfig(text);
}

const openedText = (sealed: string, box: SecretBox): string | undefined =>
  sealed === '' ? '' : box.openIfReadable(sealed);

const sealText = (text: string, box: SecretBox): string => (text === '' ? '' : box.seal(text));
