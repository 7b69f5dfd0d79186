/**
 * Points a node may lease when other live nodes may hold up to `elsewhere` of them. If the others hold less than
 * their leases allow, the result can be less than this node already had. The reserved part (`remaining`) must not be
 * leased to another node, so the lease never shrinks below it.
 */
export function leaseSize(stored: number, elsewhere: number, remaining: number): { points: number; leased: number } {
  const left = stored - elsewhere;
  return { points: elsewhere > 0 ? Math.max(0, left) : left, leased: Math.max(0, left, remaining) };
}

/** Points released to a node that requests some: half of the free points, or all of them if half is not enough. */
export function pointsToRelease(free: number, wanted: number): number {
  const spare = Math.max(0, free);
  return spare / 2 >= wanted ? Math.floor(spare / 2) : spare;
}

/**
 * Points after a lease. While other nodes hold points, at least the reservations of in-flight requests stay covered.
 */
export function pointsAfterLease(
  share: { readonly points: number; readonly elsewhere: number },
  { held, unstored }: { readonly held: number; readonly unstored: number },
  isSameNode: boolean,
): number {
  return isSameNode && share.elsewhere > 0 ? Math.max(share.points, held + unstored) : share.points;
}
