import { usageMeasures } from '@headgate/contract';
import { secondsPerDay } from '../logs/roll-up.ts';
import { runsOf } from './packed-time.ts';
import { type PackColumn, type PackKind, packKeys, type UsagePack } from './usage-pack.ts';
import type { UsagePackRepository } from './usage-pack-repository.ts';

/** The packs of one answer, each read once: several parts are made of the same. */
export class PackShelf {
  readonly #repository: UsagePackRepository;
  readonly #read = new Map<string, Promise<readonly UsagePack[]>>();

  constructor(repository: UsagePackRepository) {
    this.#repository = repository;
  }

  /** Those that begin at these times, with these columns at least. */
  at(kind: PackKind, starts: readonly number[], needed: readonly PackColumn[]): Promise<readonly UsagePack[]> {
    // Those of the site are small, and other parts of the answer need other columns.
    const isSmall = kind === 'site' || kind === 'site_day';
    const columns = isSmall ? [...packKeys[kind], ...usageMeasures] : needed;
    const name = [kind, starts.length, starts[0], starts.at(-1), ...columns].join(' ');
    const known = this.#read.get(name) ?? this.#readAt(kind, starts, columns);
    this.#read.set(name, known);
    return known;
  }

  async #readAt(
    kind: PackKind,
    starts: readonly number[],
    columns: readonly PackColumn[],
  ): Promise<readonly UsagePack[]> {
    const wanted = new Set(starts);
    const packs: UsagePack[] = [];
    for (const { from, to } of runsOf(starts, secondsPerDay)) {
      packs.push(...(await this.#repository.packs(kind, from, to, columns)).filter(({ start }) => wanted.has(start)));
    }
    return packs;
  }
}
