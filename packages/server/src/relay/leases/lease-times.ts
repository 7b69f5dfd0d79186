/** How long a node relies on its leases after it last confirmed its database lock. */
export const leaseTrustMs = 3000;

/**
 * How long leases stay valid after a node's lock was seen free: longer than the node relies on them, and long enough
 * for it to return. Both use monotonic clocks, so the time of day does not matter.
 */
export const leaseExpiryMs = 6000;
