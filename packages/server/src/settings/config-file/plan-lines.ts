import { managedKinds } from '@headgate/contract';
import { escapeLine } from './escape-line.ts';
import type { FieldChange, FieldValue, PlannedChange } from './planned-change.ts';
import { SecretText } from './secret-text.ts';
import { quoteForMessage } from './yaml-text.ts';

const signs: Readonly<Record<PlannedChange['action'], string>> = {
  create: '+',
  change: '~',
  adopt: '=',
  release: '?',
  delete: '-',
};

/** The plan with a line for each object and field. Secrets are only reported as changed. */
export function planLines(changes: readonly PlannedChange[]): string[] {
  if (changes.length === 0) return ['No changes. The gateway matches the file.'];
  return [...changes.flatMap(changeLines), planSummary(changes)].map(escapeLine);
}

/** The plan in machine-readable form. Secrets are shown as `(secret)`. */
export function planJson(changes: readonly PlannedChange[]): string {
  const count = (wanted: string) => changes.filter(({ action }) => action === wanted).length;
  const summary = Object.fromEntries(Object.keys(signs).map((action) => [action, count(action)]));
  const shown = changes.map((change) => ({
    action: change.action,
    kind: change.kind,
    name: change.name,
    fields: 'fields' in change ? change.fields : [],
  }));
  return JSON.stringify({ differs: changes.length > 0, summary, changes: shown }, undefined, 2);
}

export function planSummary(changes: readonly PlannedChange[]): string {
  const count = (...actions: PlannedChange['action'][]) =>
    changes.filter(({ action }) => actions.includes(action)).length;
  const parts = [
    `${count('create')} to create`,
    `${count('change')} to change`,
    `${count('adopt')} to take over`,
    `${count('delete')} to delete`,
    `${count('release')} to release to the console`,
  ];
  return `${parts.join(', ')}.`;
}

const releasedNote = ': no longer in the file; kept and editable in the console (--prune deletes it)';

function changeLines(change: PlannedChange): string[] {
  const title = `${signs[change.action]} ${managedKinds[change.kind]} ${quoteForMessage(change.name)}`;
  if (change.action === 'adopt') return [`${title}: unchanged; managed by the file from now on`];
  if (!('wanted' in change)) return [change.action === 'delete' ? title : `${title}${releasedNote}`];
  const note = change.isTakenOver ? ': not created by the file; managed by it from now on' : '';
  return [`${title}${note}`, ...change.fields.map((field) => `    ${fieldLine(field, change.action)}`)];
}

function fieldLine({ field, before, after }: FieldChange, action: PlannedChange['action']): string {
  if (before instanceof SecretText || after instanceof SecretText) {
    return `${field}: ${action === 'create' ? 'set' : after === undefined ? 'removed' : 'changed'}`;
  }
  return action === 'create' ? `${field}: ${valueText(after)}` : `${field}: ${valueText(before)} → ${valueText(after)}`;
}

const valueText = (value: FieldValue | undefined): string =>
  typeof value === 'string' ? quoteForMessage(value) : value === undefined ? '(none)' : String(value);
