import { type LogExportKind, logExportFields } from '@headgate/contract';
import { readFields } from '../../../observability/alerts/destinations/destination-settings.ts';
import { exportDestinations } from '../../../observability/log-export/export-destinations.ts';
import type { ConfigFile } from '../config-file.ts';
import type { LogExportEntry } from '../destination-entries.ts';
import type { DesiredObject, Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import { readGivenSettings, type Settings, settingFields } from './destination-settings.ts';
import { mapSequentially, type ObjectKind, type WriteContext } from './object-kind.ts';

interface GivenLogExport extends Pick<LogExportEntry, 'kind' | 'enabled' | 'from'> {
  readonly settings: Settings;
}

/** Destinations of the log export. Secret settings are references. */
export const logExportKind: ObjectKind<GivenLogExport> = {
  kind: 'logExport',
  section: 'log_exports',

  wanted(file) {
    return Object.entries(file.document.log_exports ?? {}).map(([name, entry]) => wantedExport(file, name, entry));
  },

  async found({ logExports }, { names, ids }) {
    const [isNamed, isKnown] = [new Set(names), new Set(ids)];
    return (await logExports.openAll())
      .filter(({ id, name }) => isNamed.has(name) || isKnown.has(id))
      .map(({ id, name, ...rest }): StoredObject => ({ id, name, fields: fieldsOf(rest) }));
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeLogExport(writing, change)));
  },

  async remove({ actor, logExports }, found) {
    await mapSequentially(found, ({ id }) => logExports.remove(actor, id));
  },
};

function wantedExport(file: ConfigFile, name: string, entry: LogExportEntry): DesiredObject<GivenLogExport> {
  const path = ['log_exports', name];
  if (name !== name.trim()) throw file.errorAt(path, 'has spaces around its name.');
  const { kind, enabled, from, previous_name: previousName } = entry;
  const known = logExportFields(kind);
  const given = readGivenSettings(file, [...path, 'settings'], known, entry.settings);
  const settings = file.validate(path, () => {
    const read = readFields(kind, known, given, {});
    exportDestinations[kind].check(file.isOffline ? withoutOptional(kind, read) : read);
    return read;
  });
  const input = { kind, enabled, from, settings };
  return { name, previousName, fields: fieldsOf(input), input };
}

/** Without secrets, a placeholder would not be a valid value for every setting. */
const withoutOptional = (kind: LogExportKind, settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => logExportFields(kind)[name]?.isOptional !== true));

const fieldsOf = ({ kind, enabled, settings }: Omit<GivenLogExport, 'from'>): Fields => ({
  kind,
  enabled,
  ...settingFields(logExportFields(kind), settings),
});

async function writeLogExport(
  { services: { actor, logExports } }: WriteContext<GivenLogExport>,
  { name, wanted: { input }, found, fields }: WrittenChange<GivenLogExport>,
): Promise<number> {
  const isAnotherKind = fields.some(({ field }) => field === 'kind');
  if (found && !isAnotherKind) return (await logExports.update(actor, found.id, { name, ...input })).id;
  // Changing the kind recreates the destination with a new cursor.
  if (found) await logExports.remove(actor, found.id);
  return (await logExports.add(actor, { name, ...input })).id;
}
