/** A word of a shell that means nothing but itself, whatever is in it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A text in double quotes; JSON, TOML, JavaScript and Python read it alike. */
export const quoted = (text: string): string => JSON.stringify(text);
