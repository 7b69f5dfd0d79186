import {
  type OptionError,
  type OptionKey,
  optionError,
  optionKeys,
  optionRow,
  type StoredOption,
} from '@headgate/contract';

interface ChangedOption {
  readonly key: OptionKey;
  readonly value: string;
}

export type OptionErrors = Readonly<Partial<Record<OptionKey, OptionError>>>;

/** Text of an option in the form; empty ratios and secrets are shown as an empty field. */
export function displayedText(key: OptionKey, stored: string): string {
  const { control } = optionRow(key);
  if (control === 'secret') return '';
  return control === 'ratios' && stored.trim() === '{}' ? '' : stored;
}

/**
 * Changed options in table order, so that a secret is saved after its URL. Secrets and numbers count as changed only if
 * something was typed.
 */
export function changedOptions(
  draft: Readonly<Partial<Record<OptionKey, string>>>,
  stored: ReadonlyMap<string, StoredOption>,
): readonly ChangedOption[] {
  return optionKeys.flatMap((key) => {
    const text = draft[key];
    if (text === undefined) return [];
    if (isOnlySavedWhenFilled(key) && text.trim() === '') return [];
    if (text === displayedText(key, stored.get(key)?.value ?? '')) return [];
    return [{ key, value: optionRow(key).control === 'ratios' && text.trim() === '' ? '{}' : text }];
  });
}

/** True if saving clears a stored secret, because the URL it is sent to has changed. */
export const willBeCleared = (secret: OptionKey, changed: readonly ChangedOption[]): boolean =>
  changed.some(({ key }) => optionRow(secret).sentTo?.includes(key));

/** Validation errors by option. */
export function validateOptions(changed: readonly ChangedOption[]): OptionErrors {
  return Object.fromEntries(
    changed.flatMap(({ key, value }) => {
      const fault = optionError(key, value);
      return fault ? [[key, fault]] : [];
    }),
  );
}

function isOnlySavedWhenFilled(key: OptionKey): boolean {
  const { control } = optionRow(key);
  return control === 'secret' || control === 'integer' || control === 'number';
}
