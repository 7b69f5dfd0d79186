import type { ConfigFile } from '../config-file.ts';
import type { ChannelEntry } from '../file-schema.ts';
import type { Fields } from '../planned-change.ts';
import { SecretText } from '../secret-text.ts';
import { type FileServices, mapSequentially } from './object-kind.ts';

/** A key of a channel with its share of the requests and its cost. */
export interface KeyTerms {
  readonly key: string;
  readonly weight: number;
  readonly cost_percent: number;
}

const usualTerms = { weight: 1, cost_percent: 100 } as const;

const hasUsualTerms = ({ weight, cost_percent }: KeyTerms): boolean =>
  weight === usualTerms.weight && cost_percent === usualTerms.cost_percent;

/** Keys of an entry without duplicates, in the order of the file. */
export function readKeys(file: ConfigFile, name: string, { key, keys = [] }: ChannelEntry): readonly KeyTerms[] {
  const path = ['channels', name];
  if (key && keys.length > 0) throw file.errorAt([...path, 'keys'], 'cannot be combined with key.');
  if (key) return [{ key: file.secret([...path, 'key'], key).reveal(), ...usualTerms }];
  const found = new Map<string, KeyTerms>();
  for (const [index, { weight, cost_percent, ...reference }] of keys.entries()) {
    const lines = file
      .secret([...path, 'keys', index], reference)
      .reveal()
      .split('\n');
    for (const line of lines.map((each) => each.trim()).filter((each) => each !== ''))
      if (!found.has(line)) found.set(line, { key: line, weight, cost_percent });
  }
  const all = [...found.values()];
  if (all.length === 1 && !all.every(hasUsualTerms) && !file.isOffline)
    throw file.errorAt([...path, 'keys'], 'has a single key; weight and cost_percent require several keys.');
  return all;
}

export const joinKeys = (keys: readonly KeyTerms[]): string => keys.map(({ key }) => key).join('\n');

export const keyFieldNames = ['keys', 'key_weights', 'key_costs'] as const;

/** Keys as comparable fields, independent of their order. */
export function keyFields(keys: readonly KeyTerms[]): Fields {
  const sorted = keys.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const listed = (name: 'weight' | 'cost_percent') =>
    sorted.every((key) => key[name] === usualTerms[name]) ? '' : sorted.map((key) => key[name]).join(',');
  return {
    keys: new SecretText(joinKeys(sorted)),
    key_weights: listed('weight'),
    key_costs: listed('cost_percent'),
  };
}

/** Adds and removes keys, and sets their weights and costs. Keys that stay keep their usage data. */
export async function writeKeys(
  { actor, channelKeys }: Pick<FileServices, 'actor' | 'channelKeys'>,
  channel: number,
  keys: readonly KeyTerms[],
): Promise<void> {
  await channelKeys.add(actor, channel, { keys: joinKeys(keys), replace: true });
  const ids = new Map((await channelKeys.open(channel)).map(({ id, key }) => [key, id]));
  const withId = keys.flatMap(({ key, ...terms }) => {
    const id = ids.get(key);
    return id === undefined ? [] : [{ id, ...terms }];
  });
  const byTerms = Map.groupBy(withId, ({ weight, cost_percent }) => `${weight} ${cost_percent}`);
  await mapSequentially([...byTerms.values()], async (group) => {
    const { weight = 1, cost_percent = 100 } = group[0] ?? {};
    await channelKeys.update(actor, channel, { ids: group.map(({ id }) => id), weight, cost_percent });
  });
}
