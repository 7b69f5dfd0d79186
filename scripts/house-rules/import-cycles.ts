import type { Link } from './import-rules.ts';

/** The shortest way round through each knot of files that import one another, as the links of that way. */
export function findCycles(links: readonly Link[]): Link[][] {
  const linksFrom = Map.groupBy(links, (link) => link.from);
  const cycles: Link[][] = [];
  const told = new Set<string>();
  for (const start of [...linksFrom.keys()].sort()) {
    if (told.has(start)) continue;
    const cycle = shortestWayBack(start, linksFrom);
    if (cycle === undefined) continue;
    cycles.push(cycle);
    for (const link of cycle) told.add(link.from);
  }
  return cycles;
}

function shortestWayBack(start: string, linksFrom: ReadonlyMap<string, readonly Link[]>): Link[] | undefined {
  const reachedBy = new Map<string, Link>();
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

function wayTo(end: string, reachedBy: ReadonlyMap<string, Link>): Link[] {
  const way: Link[] = [];
  for (let link = reachedBy.get(end); link !== undefined; link = reachedBy.get(link.from)) way.unshift(link);
  return way;
}
