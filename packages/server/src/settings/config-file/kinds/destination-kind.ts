import { destinationFields } from '@headgate/contract';
import { readSettings } from '../../../observability/alerts/destinations/destination-settings.ts';
import type { ConfigFile } from '../config-file.ts';
import type { DestinationEntry } from '../destination-entries.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { readGivenSettings, type Settings, settingFields } from './destination-settings.ts';
import { mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

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
  const given = readGivenSettings(file, [...path, 'settings'], destinationFields(kind), entry.settings);
  const settings = file.validate(path, () => readSettings(kind, given));
  const input = { kind, language, settings };
  return { name, previousName, fields: fieldsOf(input), input };
}

const fieldsOf = ({ kind, language, settings }: GivenDestination): Fields => ({
  kind,
  language,
  ...settingFields(destinationFields(kind), settings),
});

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
