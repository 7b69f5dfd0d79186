import { logType, usageMeasures } from '@headgate/contract';
import type { NewUsagePack } from '../../platform/db/rows.ts';
import type { Summable } from '../logs/roll-up.ts';
import { PackSums } from './pack-sums.ts';
import { packColumn } from './packed-column.ts';
import { type PackKind, packKeys, type UsagePack } from './usage-pack.ts';

const sumsFor = (kind: PackKind): PackSums =>
  new PackSums({ by: packKeys[kind], measures: usageMeasures, filter: {}, isNameless: true });

/** The pack of an hour from its finest sums. */
export function packHour(kind: PackKind, hour: number, finest: readonly Summable[]): NewUsagePack {
  const sums = sumsFor(kind);
  for (const { rows, type, ...others } of finest) {
    sums.addSum({ ...others, requests: rows, failures: type === logType.failure ? rows : 0, time: 0 });
  }
  return packOf(kind, hour, sums);
}

/** The pack of a longer time from those of its parts. */
export function joinPacks(kind: PackKind, start: number, packs: readonly UsagePack[]): NewUsagePack {
  const sums = sumsFor(kind);
  for (const pack of packs) sums.add(pack, 0);
  return packOf(kind, start, sums);
}

function packOf(kind: PackKind, start: number, packed: PackSums): NewUsagePack {
  const { keys, names, sums } = packed.columns();
  const columns = [...keys, ...sums].map(([name, numbers]) => [name, packColumn(numbers)]);
  const requests = sums.find(([measure]) => measure === 'requests')?.[1] ?? new Float64Array();
  const rows = requests.reduce((total, each) => total + each, 0);
  return { kind, start, rows, names: JSON.stringify(names), ...Object.fromEntries(columns) };
}
