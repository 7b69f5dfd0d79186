import { usageMeasures } from '@headgate/contract';
import { secondsPerDay } from '../logs/roll-up.ts';
import { runsOf } from '../logs/time-span.ts';
import { type PackAt, type PackColumn, type PackKind, packKeys, type UsagePack } from './usage-pack.ts';
import type { UsagePackRepository } from './usage-pack-repository.ts';

/** Thirty days of a busy site with some thousand users are about half of this. */
const mostBytes = 64 * 2 ** 20;

/** Packs that were read before, the ones used last kept longest. A pack never changes: one that is made anew has another version. */
export class PackShelf {
  /** By kind and first second, the one used last at the end. */
  readonly #packs = new Map<string, UsagePack>();
  readonly #mostBytes: number;
  #bytes = 0;

  constructor(limit = mostBytes) {
    this.#mostBytes = limit;
  }

  /** These packs with these columns at least; what is not here is read from the repository. */
  async at(
    repository: UsagePackRepository,
    kind: PackKind,
    wanted: readonly PackAt[],
    needed: readonly PackColumn[],
  ): Promise<readonly UsagePack[]> {
    // Those of the site are small, and other parts of the answer need other columns.
    const isSmall = kind === 'site' || kind === 'site_day';
    const columns = isSmall ? [...packKeys[kind], ...usageMeasures] : needed;
    const found = this.#known(kind, wanted);
    const lacking = (pack: UsagePack | undefined) => columns.filter((column) => !pack?.has(column));
    const unread = wanted.filter(({ start }) => lacking(found.get(start)).length > 0);
    const missing = new Set(unread.flatMap(({ start }) => lacking(found.get(start))));
    for (const read of await readAt(repository, kind, unread, [...missing])) {
      found.set(read.start, found.get(read.start)?.with(read) ?? read);
    }
    for (const pack of found.values()) this.#keep(kind, pack);
    return [...found.values()];
  }

  #known(kind: PackKind, wanted: readonly PackAt[]): Map<number, UsagePack> {
    const found = new Map<number, UsagePack>();
    for (const { start, version } of wanted) {
      const known = this.#packs.get(nameOf(kind, start));
      if (known?.version === version) found.set(start, known);
    }
    return found;
  }

  #keep(kind: PackKind, pack: UsagePack): void {
    const name = nameOf(kind, pack.start);
    this.#drop(name);
    this.#packs.set(name, pack);
    this.#bytes += pack.bytes;
    for (const oldest of this.#packs.keys()) {
      if (this.#bytes <= this.#mostBytes) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#bytes -= this.#packs.get(name)?.bytes ?? 0;
    this.#packs.delete(name);
  }
}

const nameOf = (kind: PackKind, start: number): string => `${kind} ${start}`;

async function readAt(
  repository: UsagePackRepository,
  kind: PackKind,
  wanted: readonly PackAt[],
  columns: readonly PackColumn[],
): Promise<readonly UsagePack[]> {
  const starts = new Set(wanted.map(({ start }) => start));
  const packs: UsagePack[] = [];
  for (const { from, to } of runsOf([...starts], secondsPerDay)) {
    packs.push(...(await repository.packs(kind, from, to, columns)).filter(({ start }) => starts.has(start)));
  }
  return packs;
}
