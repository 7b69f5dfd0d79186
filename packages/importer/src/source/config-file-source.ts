import { type ImportSource, type SourceContents, sourceTables } from './source.ts';

/** True for LiteLLM's config.yaml, by its name. */
export const isConfigFile = (from: string): boolean => !from.includes('://') && /\.ya?ml$/i.test(from);

/** LiteLLM without a database: everything comes from its config.yaml. */
export function configFileSource(path: string): ImportSource {
  const tables = Object.fromEntries(sourceTables.map((table) => [table, []])) as unknown as SourceContents['tables'];
  return {
    kind: 'litellm',
    location: path,
    contents: async () => ({ tables, lastLogId: 0 }),
    logs: async () => ({ rows: [], last: undefined }),
    close: async () => undefined,
  };
}
