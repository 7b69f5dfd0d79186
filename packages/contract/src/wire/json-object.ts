/** Parses the JSON object of an option; undefined for anything else. */
export function jsonObjectIn(text: string): object | undefined {
  try {
    // trusted JSON: an option of bounded length, set by an admin.
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
