import type { BulkFieldChange, ChannelFields } from '@headgate/contract';
import { changeText, listChange, valueChange } from '../../records/bulk/field-change.ts';
import type { FieldName } from './channel-fields.ts';
import { blankRuleSecrets } from './rule-secrets.ts';

/** Fields that may contain secrets: the log records only that they changed. */
const secretFields: readonly FieldName[] = ['key', 'config'];

const lists: readonly FieldName[] = ['models', 'group'];

/** Changed fields with old and new values, for the log. */
export const describeChannelChange = (
  before: ChannelFields,
  after: ChannelFields,
  changed: readonly FieldName[],
  more: readonly BulkFieldChange[] = [],
): string => [...changed.map((name) => fieldText(name, before, after)), ...more.map(changeText)].join('; ');

function fieldText(name: FieldName, before: ChannelFields, after: ChannelFields): string {
  if (secretFields.includes(name)) return name;
  if (lists.includes(name)) return changeText(listChange(name, String(before[name]), String(after[name])));
  if (name === 'rules') return rulesText(before.rules, after.rules);
  return changeText(valueChange(name, before[name], after[name]));
}

/** Without values if only a credential changed. */
function rulesText(before: string, after: string): string {
  const [old, now] = [blankRuleSecrets(before), blankRuleSecrets(after)];
  return old === now ? 'rules' : changeText(valueChange('rules', old, now));
}
