import {
  type OptionFault,
  type OptionKey,
  optionFault,
  optionKeys,
  optionRow,
  type StoredOption,
} from '@headgate/contract';

interface ChangedOption {
  readonly key: OptionKey;
  readonly value: string;
}

export type Mistakes = Readonly<Partial<Record<OptionKey, OptionFault>>>;

/** The text of an option as the form shows it: empty ratios and secrets are an empty box. */
export function shownText(key: OptionKey, stored: string): string {
  const { control } = optionRow(key);
  if (control === 'secret') return '';
  return control === 'ratios' && stored.trim() === '{}' ? '' : stored;
}

/**
 * What differs from what is stored, in the order of the table: a secret is saved after the address it is for. A secret or
 * a number counts only when something was typed.
 */
export function changedOptions(
  draft: Readonly<Partial<Record<OptionKey, string>>>,
  stored: ReadonlyMap<string, StoredOption>,
): readonly ChangedOption[] {
  return optionKeys.flatMap((key) => {
    const text = draft[key];
    if (text === undefined) return [];
    if (isOnlySavedWhenFilled(key) && text.trim() === '') return [];
    if (text === shownText(key, stored.get(key)?.value ?? '')) return [];
    return [{ key, value: optionRow(key).control === 'ratios' && text.trim() === '' ? '{}' : text }];
  });
}

/** Whether saving the changes makes the server forget a stored secret: it does not follow a changed address. */
export const isForgotten = (secret: OptionKey, changed: readonly ChangedOption[]): boolean =>
  changed.some(({ key }) => optionRow(secret).sentTo?.includes(key));

/** Why a value would be refused, by option. */
export function mistakesIn(changed: readonly ChangedOption[]): Mistakes {
  return Object.fromEntries(
    changed.flatMap(({ key, value }) => {
      const fault = optionFault(key, value);
      return fault ? [[key, fault]] : [];
    }),
  );
}

function isOnlySavedWhenFilled(key: OptionKey): boolean {
  const { control } = optionRow(key);
  return control === 'secret' || control === 'integer' || control === 'number';
}
