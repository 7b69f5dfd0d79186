/** Current Unix time in seconds, the unit of every time on the wire and in the database. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
