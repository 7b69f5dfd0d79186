/**
 * What a node may lease of an owner's points when other living nodes may have `elsewhere` of them. They may have less than their
 * leases say, and then that is less than this node had: what its requests hold of it (`remaining`) must not be leased to
 * anybody else, so the lease does not become smaller.
 */
export function leaseOf(stored: number, elsewhere: number, remaining: number): { points: number; leased: number } {
  const left = stored - elsewhere;
  return { points: elsewhere > 0 ? Math.max(0, left) : left, leased: Math.max(0, left, remaining) };
}

/** What is given to a node that wants some: half of what is free, or all of it where half would not help. */
export function pointsToGive(free: number, wanted: number): number {
  const spare = Math.max(0, free);
  return spare / 2 >= wanted ? Math.floor(spare / 2) : spare;
}

/** With others about, what running requests hold stays theirs, whatever is left beside it. */
export function pointsAfterLease(
  share: { readonly points: number; readonly elsewhere: number },
  { held, unstored }: { readonly held: number; readonly unstored: number },
  isSameNode: boolean,
): number {
  return isSameNode && share.elsewhere > 0 ? Math.max(share.points, held + unstored) : share.points;
}
