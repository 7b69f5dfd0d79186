/** How long a node trusts its leases after it last confirmed its database lock. */
export const leaseTrustMs = 3000;

/**
 * How long leases stay valid after a node's lock was seen free: longer than the node trusts them, and long enough for
 * it to reconnect. Both use monotonic clocks, so the system time does not matter.
 */
export const leaseExpiryMs = 6000;
