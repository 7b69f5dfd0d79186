import { type AlertRule, type AlertRuleFields, alertApi, alertKind as alertKindRow } from '@headgate/contract';
import { ApiError } from '../../../platform/errors/api-error.ts';
import type { Fields, StoredObject, WrittenChange } from '../planned-change.ts';
import {
  type FileServices,
  findChannelId,
  mapSequentially,
  type ObjectKind,
  type WriteContext,
} from './object-kind.ts';

type Terms = Omit<AlertRuleFields, 'channels' | 'receivers' | 'name'>;

interface GivenAlert {
  readonly terms: Terms;
  readonly channels: readonly string[];
  readonly destinations: readonly string[];
}

/** Alert rules. The name in the file is their name in the console. */
export const alertKind: ObjectKind<GivenAlert> = {
  kind: 'alertRule',
  section: 'alerts',

  wanted(file) {
    return Object.entries(file.document.alerts ?? {}).map(([name, entry]) => {
      const path = ['alerts', name];
      if (name !== name.trim()) throw file.errorAt(path, 'has spaces around its name.');
      const { channels, destinations, previous_name: previousName, ...given } = entry;
      const repeat_minutes = given.repeat_minutes ?? alertKindRow(given.kind).repeatMinutes;
      const input = { ...given, repeat_minutes, name, receivers: [1] };
      const { receivers: _, channels: __, name: ___, ...terms } = file.validated(path, alertApi.addRule.body, input);
      return {
        name,
        previousName,
        fields: fieldsOf(terms, channels, destinations),
        input: { terms, channels, destinations },
      };
    });
  },

  async found(services, { names, ids }) {
    const [isNamed, isKnown] = [new Set(names), new Set(ids)];
    const rules = (await services.alertRules.list()).filter(({ id, name }) => isNamed.has(name) || isKnown.has(id));
    return mapSequentially(rules, (rule) => storedAlert(services, rule));
  },

  write(writing, changes) {
    return mapSequentially(changes, (change) => writing.at(change.name, () => writeAlert(writing, change)));
  },

  async remove({ actor, alertRules }, found) {
    await mapSequentially(found, ({ id }) => alertRules.remove(actor, id));
  },
};

const listOf = (names: readonly string[]): string => [...names].sort().join(', ');

const fieldsOf = (
  { kind, enabled, threshold, window_minutes, least_requests, per, tag, group, ...rest }: Terms,
  channels: readonly string[],
  destinations: readonly string[],
): Fields => ({
  ...{ kind, enabled, threshold, window_minutes, least_requests, per, tag, group },
  channels: listOf(channels),
  destinations: listOf(destinations),
  quiet_from: rest.quiet_from,
  quiet_to: rest.quiet_to,
  time_zone: rest.time_zone,
  repeat_minutes: rest.repeat_minutes,
});

/** Deleted channels and destinations are shown by their id, so that they differ from the file. */
async function storedAlert({ channels, destinations }: FileServices, rule: AlertRule): Promise<StoredObject> {
  const { id, created_time: _, name, channels: channelIds, receivers, ...terms } = rule;
  const names = new Map((await destinations.list()).map((one) => [one.id, one.name]));
  const channelNames = await mapSequentially(
    channelIds,
    async (channelId) => (await channels.findWithKeyIfExists(channelId))?.name ?? `#${channelId}`,
  );
  const destinationNames = receivers.map((receiver) => names.get(receiver) ?? `#${receiver}`);
  return { id, name, fields: fieldsOf(terms, channelNames, destinationNames) };
}

async function writeAlert(writing: WriteContext<GivenAlert>, change: WrittenChange<GivenAlert>): Promise<number> {
  const { actor, alertRules, destinations } = writing.services;
  const { terms, channels, destinations: names } = change.wanted.input;
  const stored = await destinations.list();
  const receivers = names.map((name) => {
    const id = writing.idOf('alertDestination', name) ?? stored.find((one) => one.name === name)?.id;
    if (id === undefined) throw new ApiError('unknownReceiver');
    return id;
  });
  const channelIds = await mapSequentially(channels, async (name) => {
    const id = await findChannelId(writing, name);
    if (id === undefined) throw new ApiError('notFound');
    return id;
  });
  const fields = { ...terms, name: change.name, channels: channelIds, receivers };
  const { found } = change;
  return (found ? await alertRules.update(actor, found.id, fields) : await alertRules.add(actor, fields)).id;
}
