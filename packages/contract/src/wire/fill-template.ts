type Values = Readonly<Record<string, string | number>>;

/** A placeholder and the plural noun that follows it. Excludes words that only look like plurals. */
const place =
  /\{(\w+)\}(?:( (?:\w{1,20}ed )?)(?!answers|applies|contains|matches|relays|stands|this\b)(\w{3,20}s)\b)?/g;

/** Inserts values into a sentence with `{placeholders}`. Uses the singular after 1: `{count} keys` becomes `1 key`. */
export const fillTemplate = (sentence: string, values: Values): string =>
  sentence.replace(place, (whole, name: string, between = '', things = '') => {
    const value = values[name];
    if (value === undefined) return whole;
    return `${value}${between}${String(value) === '1' ? things.replace(/ies$|s$/, oneOf) : things}`;
  });

const oneOf = (end: string): string => (end === 's' ? '' : 'y');
