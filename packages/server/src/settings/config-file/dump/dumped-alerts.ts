import {
  alertKind,
  type DestinationField,
  destinationFields,
  isSecretField,
  logExportFields,
} from '@headgate/contract';
import { mapSequentially } from '../kinds/object-kind.ts';
import { type DumpContext, type DumpSection, omitDefault, withUniqueNames } from './dump-section.ts';

const rename = 'give each a unique name in the console';

/** Destinations with a unique name, by which alerts refer to them. */
async function namedDestinations({ services, leave }: DumpContext) {
  const all = await services.destinations.openAll();
  return withUniqueNames(
    all,
    ({ name }) => name,
    (name) => leave('alertDestination', name, `the name is ambiguous: ${rename}`),
  );
}

export const dumpedDestinations: DumpSection = {
  kind: 'alertDestination',
  section: 'destinations',
  entries: async (dumping) =>
    (await namedDestinations(dumping)).map(({ name, kind, language, settings }) => [
      name,
      {
        kind,
        language: omitDefault(language, 'both'),
        settings: settingsOf(name, destinationFields(kind), settings, dumping),
      },
    ]),
};

export const dumpedLogExports: DumpSection = {
  kind: 'logExport',
  section: 'log_exports',
  async entries(dumping) {
    const named = withUniqueNames(
      await dumping.services.logExports.openAll(),
      ({ name }) => name,
      (name) => dumping.leave('logExport', name, `the name is ambiguous: ${rename}`),
    );
    return named.map(({ name, kind, enabled, settings }) => [
      name,
      {
        kind,
        enabled: omitDefault(enabled, true),
        settings: settingsOf(name, logExportFields(kind), settings, dumping),
      },
    ]);
  },
};

/** Settings with variables instead of secrets. */
const settingsOf = (
  name: string,
  fields: Readonly<Record<string, DestinationField>>,
  settings: Readonly<Record<string, string>>,
  { variables }: DumpContext,
): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([setting, field]) => {
      const value = settings[setting] ?? '';
      if (value === '') return [];
      return [[setting, isSecretField(field) ? variables.refer([name, setting], value) : value]];
    }),
  );

export const dumpedAlerts: DumpSection = {
  kind: 'alertRule',
  section: 'alerts',
  async entries({ services, leave, ...dumping }) {
    const rules = Map.groupBy(await services.alertRules.list(), ({ name }) => (name === '' ? 'unnamed' : 'named'));
    for (const { id } of rules.get('unnamed') ?? []) leave('alertRule', `#${id}`, 'it has no name: give it one');
    const named = withUniqueNames(
      rules.get('named') ?? [],
      ({ name }) => name,
      (name) => leave('alertRule', name, `the name is ambiguous: ${rename}`),
    );
    const destinations = await namedDestinations({ ...dumping, services, leave: () => undefined });
    const nameOf = new Map(destinations.map(({ id, name }) => [id, name]));
    const entries = await mapSequentially(named, async ({ id: _, created_time: __, name, ...rule }) => {
      const channels = await mapSequentially(rule.channels, (id) => uniqueChannelName(services, id));
      const receivers = rule.receivers.map((id) => nameOf.get(id));
      if (channels.includes(undefined) || receivers.includes(undefined)) {
        leave('alertRule', name, `one of its channels or destinations is deleted or has an ambiguous name: ${rename}`);
        return [];
      }
      return [[name, entryOf(rule, channels, receivers)] as const];
    });
    return entries.flat();
  },
};

type Services = DumpContext['services'];
type Rule = Awaited<ReturnType<Services['alertRules']['list']>>[number];

async function uniqueChannelName({ channels }: Services, id: number): Promise<string | undefined> {
  const channel = await channels.findWithKeyIfExists(id);
  return channel && (await channels.idsNamed(channel.name)).length === 1 ? channel.name : undefined;
}

const entryOf = (rule: Omit<Rule, 'id' | 'created_time' | 'name'>, channels: object, destinations: object): object => ({
  kind: rule.kind,
  destinations,
  channels: omitDefault(channels, []),
  enabled: omitDefault(rule.enabled, true),
  threshold: omitDefault(rule.threshold, 0),
  window_minutes: omitDefault(rule.window_minutes, 10),
  least_requests: omitDefault(rule.least_requests, 20),
  per: omitDefault(rule.per, 'channel'),
  tag: omitDefault(rule.tag, ''),
  group: omitDefault(rule.group, ''),
  quiet_from: omitDefault(rule.quiet_from, ''),
  quiet_to: omitDefault(rule.quiet_to, ''),
  time_zone: omitDefault(rule.time_zone, 'UTC'),
  repeat_minutes: omitDefault(rule.repeat_minutes, alertKind(rule.kind).repeatMinutes),
});
