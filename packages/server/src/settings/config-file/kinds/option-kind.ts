import {
  defaultOptions,
  isOptionKey,
  isStoredOption,
  type OptionKey,
  optionError,
  optionRow,
} from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import { optionErrorMessage } from '../../../platform/options/option-checks.ts';
import type { ConfigFile } from '../config-file.ts';
import { fileOptionKeys } from '../file-schema.ts';
import type { DesiredObject, WrittenChange } from '../planned-change.ts';
import type { SecretReference } from '../secret-reference.ts';
import { SecretText } from '../secret-text.ts';
import { type FileServices, mapSequentially, type ObjectKind, objectNames } from './object-kind.ts';

interface GivenOption {
  readonly key: OptionKey;
  /** Value in the API's text format. */
  readonly text: string;
}

/** Single-value options; ratio lists are separate kinds. */
export const optionKind: ObjectKind<GivenOption> = {
  kind: 'option',
  section: 'options',

  wanted(file) {
    const input: Readonly<Record<string, unknown>> = file.document.options ?? {};
    return fileOptionKeys.flatMap((key) => (input[key] === undefined ? [] : [wantedOption(file, key, input[key])]));
  },

  async found({ options }, { names }) {
    return names.filter(isStoredOption).map((key) => ({
      id: 0,
      name: key,
      fields: { value: shown(key, optionRow(key).format(options.values[key])) },
    }));
  },

  async write({ services, wanted, at }, changes) {
    const { actor, options, optionChanges } = services;
    const set = ({ key, text }: GivenOption) => at(key, () => optionChanges.set(actor, key, text));
    const switches = togglesToSuspend(changes, services);
    for (const key of switches) await set({ key, text: 'false' });
    for (const { wanted: one } of changes.filter(isTurnedOff)) await set(one.input);
    for (const { wanted: one } of changes.filter((change) => !isTurnedOff(change) && !isTurnedOn(change)))
      await set(one.input);
    // Unchanged secrets may have been cleared together with a changed address.
    for (const { input } of wanted.filter(isSecret)) await set(input);
    for (const { wanted: one } of changes.filter(isTurnedOn)) await set(one.input);
    const isOff = new Set(changes.filter(isTurnedOff).map(({ name }) => name));
    for (const key of switches.filter((each) => !isOff.has(each))) await set({ key, text: 'true' });
    await options.load();
    return changes.map(() => 0);
  },

  /** Options that were removed from the file return to their defaults. */
  async remove({ actor, options, optionChanges }, found) {
    const keys = objectNames(found).filter(isOptionKey);
    const inOrder = [...keys.filter((key) => optionRow(key).control === 'toggle'), ...keys];
    await mapSequentially(inOrder, (key) => optionChanges.set(actor, key, optionRow(key).format(defaultOptions[key])));
    await options.load();
  },
};

function wantedOption(file: ConfigFile, key: OptionKey, value: unknown): DesiredObject<GivenOption> {
  const path = ['options', key];
  const row = optionRow(key);
  const text = row.control === 'secret' ? file.secret(path, value as SecretReference).reveal() : String(value);
  const fault = optionError(key, text);
  file.validate(path, () => {
    if (fault) throw new ApiError('optionInvalid', { fault: optionErrorMessage(key, fault) });
  });
  const stored = row.format(row.schema.parse(text));
  return { name: key, fields: { value: shown(key, stored) }, input: { key, text: stored } };
}

const shown = (key: OptionKey, text: string) => (optionRow(key).control === 'secret' ? new SecretText(text) : text);

const isSecret = ({ input }: DesiredObject<GivenOption>): boolean => optionRow(input.key).control === 'secret';

const isSwitchTo = (text: string) => (change: WrittenChange<GivenOption>) =>
  optionRow(change.wanted.input.key).control === 'toggle' && change.wanted.input.text === text;
/** Options are turned off first and turned on last, because an enabled toggle requires other options. */
const isTurnedOff = isSwitchTo('false');
const isTurnedOn = isSwitchTo('true');

/** Enabled toggles that need a secret whose address changes; turned off until the secret is set again. */
function togglesToSuspend(changes: readonly WrittenChange<GivenOption>[], { options }: FileServices): OptionKey[] {
  const changed = new Set<string>(changes.map(({ name }) => name));
  return fileOptionKeys.filter(
    (key) =>
      options.values[key] === true &&
      (optionRow(key).needs ?? [])
        .filter(isOptionKey)
        .some((needed) => (optionRow(needed).sentTo ?? []).some((address) => changed.has(address))),
  );
}
