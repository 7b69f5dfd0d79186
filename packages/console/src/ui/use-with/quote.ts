/** Quotes a shell word so that no character has a special meaning. */
export const quoteShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Double-quoted string, valid in JSON, TOML, JavaScript and Python. */
export const quoteString = (text: string): string => JSON.stringify(text);
