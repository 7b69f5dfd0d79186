import { type DestinationField, isSecretField } from '@headgate/contract';
import type { ConfigFile } from '../config-file.ts';
import type { Fields } from '../planned-change.ts';
import type { SecretReference } from '../secret-reference.ts';
import { SecretText } from '../secret-text.ts';
import type { Path } from '../yaml-text.ts';

export type Settings = Readonly<Record<string, string>>;

type FieldTable = Readonly<Record<string, DestinationField>>;
type EntrySettings = Readonly<Record<string, string | SecretReference | undefined>>;

/** Settings of a destination with their secrets. Secrets as plain text are rejected. */
export function readGivenSettings(file: ConfigFile, path: Path, known: FieldTable, entry: EntrySettings): Settings {
  const given = Object.entries(entry).flatMap(([setting, value]) => {
    if (value === undefined) return [];
    const place = [...path, setting];
    const field = Object.hasOwn(known, setting) ? known[setting] : undefined;
    if (typeof value === 'object') return [[setting, file.secret(place, value).reveal()] as const];
    if (field && isSecretField(field)) throw file.errorAt(place, 'is a secret: use { env: NAME } or { file: path }.');
    return [[setting, value] as const];
  });
  return Object.fromEntries(given);
}

/** Settings as comparable fields. */
export const settingFields = (known: FieldTable, settings: Settings): Fields =>
  Object.fromEntries(
    Object.entries(known).map(([name, field]) => {
      const text = settings[name] ?? '';
      return [`settings.${name}`, isSecretField(field) ? new SecretText(text) : text] as const;
    }),
  );
