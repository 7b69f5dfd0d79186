import { destinationFields, isSecretField } from '@headgate/contract';
import { readSettings } from '../../../observability/alerts/destinations/destination-settings.ts';
import type { ConfigFile } from '../config-file.ts';
import type { DestinationEntry } from '../file-schema.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { SecretText } from '../secret-text.ts';
import { mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

type Settings = Readonly<Record<string, string>>;

interface GivenDestination extends Pick<DestinationEntry, 'kind' | 'language'> {
  readonly settings: Settings;
}

/** Alert destinations. Secret settings are references. */
export const destinationKind: ObjectKind<GivenDestination> = {
  kind: 'alertDestination',
  section: 'destinations',

  wanted(file) {
    return Object.entries(file.document.destinations ?? {}).map(([name, entry]) =>
      wantedDestination(file, name, entry),
    );
  },

  async found({ destinations }, { names, ids }) {
    const [isNamed, isKnown] = [new Set(names), new Set(ids)];
    return (await destinations.openAll())
      .filter(({ id, name }) => isNamed.has(name) || isKnown.has(id))
      .map(({ id, name, ...rest }): StoredObject => ({ id, name, fields: fieldsOf(rest) }));
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeDestination(writing, change)));
  },

  async remove({ actor, destinations }, found) {
    await mapSequentially(found, ({ id }) => destinations.remove(actor, id));
  },
};

function wantedDestination(file: ConfigFile, name: string, entry: DestinationEntry): DesiredObject<GivenDestination> {
  const path = ['destinations', name];
  if (name !== name.trim()) throw file.errorAt(path, 'has spaces around its name.');
  const { kind, language, previous_name: previousName } = entry;
  const known = destinationFields(kind);
  const given = Object.entries(entry.settings).flatMap(([setting, value]) => {
    if (value === undefined) return [];
    const place = [...path, 'settings', setting];
    const field = Object.hasOwn(known, setting) ? known[setting] : undefined;
    if (typeof value === 'object') return [[setting, file.secret(place, value).reveal()] as const];
    if (field && isSecretField(field)) throw file.errorAt(place, 'is a secret: use { env: NAME } or { file: path }.');
    return [[setting, value] as const];
  });
  const settings = file.validate(path, () => readSettings(kind, Object.fromEntries(given)));
  const input = { kind, language, settings };
  return { name, previousName, fields: fieldsOf(input), input };
}

function fieldsOf({ kind, language, settings }: GivenDestination): Fields {
  const values = Object.entries(destinationFields(kind)).map(([name, field]) => {
    const text = settings[name] ?? '';
    return [`settings.${name}`, isSecretField(field) ? new SecretText(text) : text] as const;
  });
  return { kind, language, ...Object.fromEntries(values) };
}

async function writeDestination(
  { services: { actor, destinations } }: WriteContext<GivenDestination>,
  { name, wanted: { input }, found, fields }: WrittenChange<GivenDestination>,
): Promise<number> {
  const isAnotherKind = fields.some(({ field }) => field === 'kind');
  if (found && !isAnotherKind) return (await destinations.update(actor, found.id, { name, ...input })).id;
  // Settings of another kind cannot be compared, so it is replaced.
  if (found) await destinations.remove(actor, found.id);
  return (await destinations.add(actor, { name, ...input })).id;
}
