type Values = Readonly<Record<string, string | number>>;

/** Writes values into a sentence with `{names}`. */
export const fillSentence = (sentence: string, values: Values): string =>
  sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
