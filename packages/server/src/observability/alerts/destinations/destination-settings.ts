import {
  type DestinationField,
  type DestinationKind,
  destinationFields,
  isSecretField,
  splitCommas,
  stripTrailingSlash,
} from '@headgate/contract';
import { isForbiddenHost } from '@headgate/relay';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { DestinationSettings } from './destination-protocol.ts';
import { truncateCharacters } from './message-text.ts';

const maxMailboxes = 10;
const maxMailboxLength = 254;
/** Permissive on purpose: the mail server decides. */
const mailbox = /^[^\s@,<>"]+@[^\s@,<>"]+$/;

/**
 * Merges the given settings with the stored ones and returns exactly the fields of the kind. Omitted secrets are kept,
 * but never sent to an address that they were not entered for.
 */
export function readSettings(
  kind: DestinationKind,
  given: DestinationSettings,
  stored: DestinationSettings = {},
): DestinationSettings {
  return readFields(kind, destinationFields(kind), given, stored);
}

type FieldTable = Readonly<Record<string, DestinationField>>;

/** The same for other kinds of destinations. */
export function readFields(
  kind: string,
  fields: FieldTable,
  given: DestinationSettings,
  stored: DestinationSettings,
): DestinationSettings {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(fields, name))
      throw new ApiError('receiverSettingUnknown', {
        field: `settings.${name}`,
        kind,
        known: Object.keys(fields).join(', '),
      });
  const isElsewhere = Object.entries(fields).some(
    ([name, { control, initial = '' }]) =>
      control === 'address' && Object.hasOwn(stored, name) && (givenText(name, given) || initial) !== stored[name],
  );
  const read = Object.entries(fields).map(([name, field]) => {
    const text = givenText(name, given);
    const keeps = text === '' && isSecretField(field) && Object.hasOwn(stored, name);
    if (keeps && isElsewhere && field.signs !== true && stored[name] !== '')
      throw new ApiError('receiverSecretNeeded', { field: field.label });
    return [name, keeps ? (stored[name] ?? '') : checked(`settings.${name} (${field.label})`, field, text)] as const;
  });
  return Object.fromEntries(read);
}

const givenText = (name: string, given: DestinationSettings): string => {
  const text = Object.hasOwn(given, name) ? (given[name] ?? '').trim() : '';
  return /^https?:\/\//.test(text) ? stripTrailingSlash(text) : text;
};

/** `path` names the setting in errors. */
function checked(path: string, field: DestinationField, text: string): string {
  if (text === '' && field.isOptional) return text;
  if (text === '' && field.initial !== undefined) return field.initial;
  if (text === '') throw new ApiError('receiverSettingMissing', { field: path });
  const { least = 0 } = field;
  if (text.length < least) throw new ApiError('receiverSettingTooShort', { field: path, min: String(least) });
  if (hasControls(text)) throw new ApiError('receiverSettingUnfit', { field: path });
  return checks[field.control](text, path);
}

/** Control characters are invalid in every setting: they could end a header. */
const hasControls = (text: string): boolean => [...text].some((sign) => sign < ' ' || sign === '\u007f');

const checks: Readonly<Record<DestinationField['control'], (text: string, path: string) => string>> = {
  text: (text) => text,
  secret: (text) => text,
  address: checkAddress,
  'secret-address': checkAddress,
  emails: (text, path) => {
    const all = splitCommas(text);
    const isValid = all.every((each) => each.length <= maxMailboxLength && mailbox.test(each));
    if (all.length === 0 || all.length > maxMailboxes || !isValid)
      throw new ApiError('receiverEmailsUnfit', { field: path, max: String(maxMailboxes) });
    return all.join(',');
  },
};

/** Credentials in a URL would appear in logs, and metadata services, which return credentials, are not allowed. */
function checkAddress(text: string, path: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.hash !== '')
    throw new ApiError('receiverUrlUnfit', { field: path });
  if (isForbiddenHost(url.hostname)) throw new ApiError('receiverAddressForbidden', { field: path });
  return text;
}

/** Settings for API responses: no secrets, but a flag for each stored one, and the host. */
export const presentSettings = (kind: DestinationKind, settings: DestinationSettings) =>
  presentFields(destinationFields(kind), settings);

export function presentFields(table: FieldTable, settings: DestinationSettings) {
  const fields = Object.entries(table);
  const open = fields.filter(([, field]) => !isSecretField(field));
  const secret = fields.filter(([, field]) => isSecretField(field));
  return {
    settings: Object.fromEntries(open.map(([name]) => [name, settings[name] ?? ''])),
    secrets: secret.map(([name]) => name).filter((name) => (settings[name] ?? '') !== ''),
    place: URL.parse(settings['address'] ?? '')?.host ?? '',
  };
}

const shortestSecret = 6;

/** Sanitizes text from or about a destination: secrets are removed, and it is shortened to one line. */
export const redactDestinationSecrets = (
  text: string,
  kind: DestinationKind,
  settings: DestinationSettings,
  longest = 300,
) => redactSecrets(text, destinationFields(kind), settings, longest);

export function redactSecrets(text: string, table: FieldTable, settings: DestinationSettings, longest = 300): string {
  let safe = text;
  for (const secret of secretsOf(table, settings)) safe = safe.replaceAll(secret, '***');
  return truncateCharacters(
    safe
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
      .trim(),
    longest + 1,
  );
}

/** Secrets in plain and URL-encoded form, and path segments of secret URLs, longest first. */
function secretsOf(table: FieldTable, settings: DestinationSettings): readonly string[] {
  const fields = Object.entries(table).filter(([, field]) => isSecretField(field));
  const all = fields.flatMap(([name, { control }]) => {
    const value = settings[name] ?? '';
    const url = control === 'secret-address' ? URL.parse(value) : null;
    const parts = url ? [...url.pathname.split('/'), ...url.searchParams.values(), url.pathname + url.search] : [];
    // Short path segments are words such as "hooks"; secret segments are longer.
    return [value, encodeURIComponent(value), ...parts.filter((part) => part.length >= 2 * shortestSecret)];
  });
  return [...new Set(all)].filter((secret) => secret.length >= shortestSecret).sort((a, b) => b.length - a.length);
}
