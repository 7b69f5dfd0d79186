import { type Channel, type ChannelFields, channelStatus } from '@headgate/contract';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { blankOutSecrets, type ChannelConfig, readConfig, writeConfig } from './channel-config.ts';
import type { FieldName } from './channel-fields.ts';
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
    config: writeConfig(blankOutSecrets(openConfig(config_sealed, box))),
    rules: omitRuleSecrets(rules, box),
    is_failing: is_failing === 1,
    cooldown_seconds: Math.ceil(now.cooldownMs / 1000),
    paused_models: [...now.paused],
  };
}

/** Editable fields of a stored channel. */
export function decryptChannelFields(row: ChannelRow, box: SecretBox): ChannelFields {
  const { type, name, models, group, base_url, other, model_mapping, system_prompt, purchase } = row;
  const { status, priority, weight, tag, key_strategy } = row;
  return {
    purchase,
    rules: openText(row.rules, box),
    type,
    name,
    models,
    group,
    base_url,
    other,
    model_mapping,
    system_prompt,
    status,
    priority,
    weight,
    tag,
    key_strategy,
    key: box.open(row.key_sealed),
    config: openConfig(row.config_sealed, box),
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
export const omitRuleSecrets = (sealed: string, box: SecretBox): string => blankRuleSecrets(openText(sealed, box));

const openConfig = (sealed: string, box: SecretBox): ChannelConfig => readConfig(openText(sealed, box));

const openText = (sealed: string, box: SecretBox): string => (sealed === '' ? '' : box.open(sealed));

const sealText = (text: string, box: SecretBox): string => (text === '' ? '' : box.seal(text));
