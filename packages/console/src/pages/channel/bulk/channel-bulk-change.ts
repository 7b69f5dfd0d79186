import { type ChannelBulkChange, type CopiedSetting, splitCommas } from '@headgate/contract';
import { jsonMistake } from '../../../ui/form/json-mistake.ts';

export type BulkKind = ChannelBulkChange['kind'];
export type ListDeed = 'add' | 'remove' | 'replace';

/** Input of the dialog; each kind of change uses part of it. */
export interface BulkDraft {
  readonly text: string;
  readonly number: number | undefined;
  readonly names: readonly string[];
  readonly how: ListDeed;
  readonly from: number | undefined;
  readonly settings: readonly CopiedSetting[];
}

export const emptyDraft: BulkDraft = {
  text: '',
  number: undefined,
  names: [],
  how: 'add',
  from: undefined,
  settings: [],
};

type Kind = Exclude<BulkKind, 'status' | 'delete'>;
type Making = { readonly [Name in Kind]: (draft: BulkDraft) => ChannelBulkChange | undefined };

/** Builds the change from the draft; undefined while the input is incomplete or invalid. */
const makings: Making = {
  priority: ({ number }) => (number === undefined ? undefined : { kind: 'priority', priority: number }),
  weight: ({ number }) => (number === undefined ? undefined : { kind: 'weight', weight: number }),
  group: ({ names, how }) => listed(names, (group) => ({ kind: 'group', how, group })),
  models: ({ names, how }) => listed(names, (models) => ({ kind: 'models', how, models })),
  model_mapping: ({ text }) => (jsonMistake(text) ? undefined : { kind: 'model_mapping', model_mapping: text.trim() }),
  system_prompt: ({ text }) => ({ kind: 'system_prompt', system_prompt: text }),
  tag: ({ text }) => ({ kind: 'tag', tag: text.trim() }),
  copy: ({ from, settings }) =>
    from === undefined || settings.length === 0 ? undefined : { kind: 'copy', from, settings: [...settings] },
};

export const changeOf = (kind: Kind, draft: BulkDraft): ChannelBulkChange | undefined => makings[kind](draft);

function listed(names: readonly string[], make: (list: string) => ChannelBulkChange): ChannelBulkChange | undefined {
  const list = splitCommas(names.join(',')).join(',');
  return list === '' ? undefined : make(list);
}
