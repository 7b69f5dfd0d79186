import type { Link } from './import-rules.ts';

/** The shortest cycle through each group of files that import each other, as its links. */
export function findCycles<L extends Link>(links: readonly L[]): L[][] {
  const linksFrom = Map.groupBy(withoutDeadEnds(links), (link) => link.from);
  const cycles: L[][] = [];
  const reported = new Set<string>();
  for (const start of [...linksFrom.keys()].sort()) {
    if (reported.has(start)) continue;
    const cycle = shortestWayBack(start, linksFrom);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    for (const link of cycle) reported.add(link.from);
  }
  return cycles;
}

/** Drops links to files that import nothing, or only such files. */
function withoutDeadEnds<L extends Link>(links: readonly L[]): readonly L[] {
  const importers = new Set(links.map(({ from }) => from));
  const kept = links.filter(({ to }) => importers.has(to));
  return kept.length === links.length ? kept : withoutDeadEnds(kept);
}

function shortestWayBack<L extends Link>(start: string, linksFrom: ReadonlyMap<string, readonly L[]>): L[] | undefined {
  const reachedBy = new Map<string, L>();
  const queue = [start];
  for (const file of queue) {
    for (const link of linksFrom.get(file) ?? []) {
      if (link.to === start) return [...wayTo(file, reachedBy), link];
      if (reachedBy.has(link.to)) continue;
      reachedBy.set(link.to, link);
      queue.push(link.to);
    }
  }
  return undefined;
}

function wayTo<L extends Link>(end: string, reachedBy: ReadonlyMap<string, L>): L[] {
  const way: L[] = [];
  for (let link = reachedBy.get(end); link !== undefined; link = reachedBy.get(link.from)) way.unshift(link);
  return way;
}
