type Values = Readonly<Record<string, string | number>>;

/** A place for a value, and what is counted by it where a plural follows; some words only end like one. */
const place = /\{(\w+)\}(?:( (?:\w{1,20}ed )?)(?!answers|applies|contains|relays|stands|this\b)(\w{3,20}s)\b)?/g;

/** Writes values into a sentence with `{names}`; of one thing it speaks in the singular: `{count} keys`, `1 key`. */
export const fillSentence = (sentence: string, values: Values): string =>
  sentence.replace(place, (whole, name: string, between = '', things = '') => {
    const value = values[name];
    if (value === undefined) return whole;
    return `${value}${between}${String(value) === '1' ? things.replace(/ies$|s$/, oneOf) : things}`;
  });

const oneOf = (end: string): string => (end === 's' ? '' : 'y');
