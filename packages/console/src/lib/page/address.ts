/** The values behind the question mark of an address; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Pages come from a table that the router's types do not know, so it accepts no query. Pages read their own part of it. */
export const query = (values: Query) => values as never;

/** Changes the query of the open page; cast for the same reason. */
export const queryChange = (change: (before: Query) => Query) => change as never;

/** State of a history entry. The router's types know no state of pages, which check what they read. */
export const historyState = (values: object) => values as never;

/** State that the login page reads: the address to return to. */
export const returnTo = (from: string | undefined) => historyState({ from });
