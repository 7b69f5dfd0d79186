/** How long a node counts on what it leased after it last made sure that the database holds its lock. */
export const aloneMs = 3000;

/**
 * How long after a lock was seen free what its node had leased is still its own: longer than the node counts on it, and long
 * enough to come back and say so. Each measures on a clock of its own that only grows; nobody's time of day matters.
 */
export const returnedAfterMs = 6000;
