import { type ChannelBulkChange, type CopyableSetting, splitCommas } from '@headgate/contract';
import { findJsonError } from '../../../ui/form/json-error.ts';

export type BulkKind = ChannelBulkChange['kind'];
export type ListOperation = 'add' | 'remove' | 'replace';

/** Input of the dialog; each kind of change uses part of it. */
export interface BulkDraft {
  readonly text: string;
  readonly number: number | undefined;
  readonly names: readonly string[];
  readonly how: ListOperation;
  readonly from: number | undefined;
  readonly settings: readonly CopyableSetting[];
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
type ChangeBuilders = { readonly [Name in Kind]: (draft: BulkDraft) => ChannelBulkChange | undefined };

/** Builds the change from the draft; undefined while the input is incomplete or invalid. */
const changeBuilders: ChangeBuilders = {
  priority: ({ number }) => (number === undefined ? undefined : { kind: 'priority', priority: number }),
  weight: ({ number }) => (number === undefined ? undefined : { kind: 'weight', weight: number }),
  group: ({ names, how }) => listed(names, (group) => ({ kind: 'group', how, group })),
  models: ({ names, how }) => listed(names, (models) => ({ kind: 'models', how, models })),
  model_mapping: ({ text }) =>
    findJsonError(text) ? undefined : { kind: 'model_mapping', model_mapping: text.trim() },
  system_prompt: ({ text }) => ({ kind: 'system_prompt', system_prompt: text }),
  tag: ({ text }) => ({ kind: 'tag', tag: text.trim() }),
  copy: ({ from, settings }) =>
    from === undefined || settings.length === 0 ? undefined : { kind: 'copy', from, settings: [...settings] },
};

export const changeOf = (kind: Kind, draft: BulkDraft): ChannelBulkChange | undefined => changeBuilders[kind](draft);

function listed(names: readonly string[], make: (list: string) => ChannelBulkChange): ChannelBulkChange | undefined {
  const list = splitCommas(names.join(',')).join(',');
  return list === '' ? undefined : make(list);
}
