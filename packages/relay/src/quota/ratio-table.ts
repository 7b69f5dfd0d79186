export type Table = Readonly<Record<string, number>>;

/** What stands there for a model: on this type of channel, else in general. */
export function lookUp(model: string, channelType: number, table: Table): number | undefined {
  const name = searchlessName(model);
  return ownNumber(table, `${name}(${channelType})`) ?? ownNumber(table, name);
}

export const ownNumber = (table: Table, key: string): number | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Some models search when their name ends so, and cost the same. */
export const searchlessName = (model: string): string => model.replace(/^((?:qwen|command)(?:-.*)?)-internet$/, '$1');
