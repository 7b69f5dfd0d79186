export type RatioTable = Readonly<Record<string, number>>;

/** Looks up a model's value for this channel type, then its general value. */
export function lookUpRatio(model: string, channelType: number, table: RatioTable): number | undefined {
  const name = withoutSearchSuffix(model);
  return ownRatio(table, `${name}(${channelType})`) ?? ownRatio(table, name);
}

export const ownRatio = (table: RatioTable, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Some models search the web when their name has this suffix, at the same price. */
export const withoutSearchSuffix = (model: string): string =>
  model.replace(/^((?:qwen|command)(?:-.*)?)-internet$/, '$1');
