type Rows = readonly (readonly [name: string, ratio: number])[];

/** Rows of a ratio text by name; undefined if it is not an object of numbers. */
export function parseRatios(text: string): Rows | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const rows = Object.entries(value as Record<string, unknown>);
    return rows.every(([, ratio]) => typeof ratio === 'number') ? (rows as [string, number][]) : undefined;
  } catch {
    return undefined;
  }
}

const write = (rows: Rows): string => JSON.stringify(Object.fromEntries(rows), undefined, 2);

/** A new name is inserted first, where it is visible. */
export const addRatio = (text: string, name: string): string => write([[name, 1], ...(parseRatios(text) ?? [])]);

export const setRatio = (text: string, name: string, ratio: number): string =>
  write((parseRatios(text) ?? []).map((row) => (row[0] === name ? [name, ratio] : row)));

export const removeRatio = (text: string, name: string): string =>
  write((parseRatios(text) ?? []).filter(([other]) => other !== name));
