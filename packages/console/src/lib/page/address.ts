/** Query parameters; undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Cast, because pages come from a table and the router's types contain no query parameters. Each page validates its
 * own.
 */
export const query = (values: Query) => values as never;

/** Updates the query of the current page; cast for the same reason. */
export const updateQuery = (change: (before: Query) => Query) => change as never;

/** State of a history entry, cast for the same reason. Pages validate it. */
export const historyState = (values: object) => values as never;

/** State for the login page: the address to return to. */
export const returnTo = (from: string | undefined) => historyState({ from });
