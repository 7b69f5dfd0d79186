/** Now, in whole seconds since 1970: the unit of every time on the wire and in the database. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
