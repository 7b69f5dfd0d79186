import { type BulkFieldChange, type ChannelBulkChange, type ChannelFields, splitCommas } from '@headgate/contract';
import { listChange, valueChange } from '../../records/bulk/field-change.ts';
import type { FieldName } from './channel-fields.ts';
import type { ChannelUpdate } from './channel-input.ts';

type CopiedSettings = Exclude<ChannelBulkChange, { readonly kind: 'delete' }>;

/** Update for one channel in a bulk edit. `source` is the channel that settings are copied from. */
export function bulkChannelUpdate(
  change: CopiedSettings,
  stored: ChannelFields,
  source: ChannelFields | undefined,
): Omit<ChannelUpdate, 'id'> {
  switch (change.kind) {
    case 'models':
      return { models: changedList(stored.models, change.how, change.models) };
    case 'group':
      return { group: changedList(stored.group, change.how, change.group) };
    case 'copy':
      return source ? Object.fromEntries(change.settings.map((name) => [name, source[name]])) : {};
    default: {
      const { kind: _kind, ...given } = change;
      return given;
    }
  }
}

function changedList(stored: string, how: 'add' | 'remove' | 'replace', given: string): string {
  const names = splitCommas(given);
  const before = splitCommas(stored);
  if (how === 'replace') return names.join(',');
  if (how === 'remove') return before.filter((name) => !names.includes(name)).join(',');
  return [...new Set([...before, ...names])].join(',');
}

const lists: readonly FieldName[] = ['models', 'group'];

/** Changed fields for display; none of them is secret. */
export const describeChanges = (
  before: ChannelFields,
  after: ChannelFields,
  changed: readonly FieldName[],
): BulkFieldChange[] =>
  changed.map((name) =>
    lists.includes(name)
      ? listChange(name, String(before[name]), String(after[name]))
      : valueChange(name, before[name], after[name]),
  );
