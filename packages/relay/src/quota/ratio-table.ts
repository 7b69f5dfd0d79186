export type Table = Readonly<Record<string, number>>;

/** Looks up a model's value for this channel type, then its general value. */
export function lookUp(model: string, channelType: number, table: Table): number | undefined {
  const name = withoutSearchSuffix(model);
  return ownNumber(table, `${name}(${channelType})`) ?? ownNumber(table, name);
}

export const ownNumber = (table: Table, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Some models search the web when their name has this suffix, at the same price. */
export const withoutSearchSuffix = (model: string): string =>
  model.replace(/^((?:qwen|command)(?:-.*)?)-internet$/, '$1');
