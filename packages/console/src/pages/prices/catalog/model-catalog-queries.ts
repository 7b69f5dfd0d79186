import { modelApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import type { CatalogRow } from './model-catalog-rows.ts';

export const modelCatalog = 'model-catalog';

/** Ids in the order in which names were first seen, so that they stay when the catalog changes. */
const ids = new Map<string, number>();

function idOf(model: string): number {
  const id = ids.get(model) ?? ids.size + 1;
  ids.set(model, id);
  return id;
}

/** The whole catalog (some hundreds of models), which is filtered and sorted here. */
export const catalogQuery = queryOptions({
  queryKey: [modelCatalog, 'all'],
  queryFn: async ({ signal }): Promise<readonly CatalogRow[]> =>
    (await call(modelApi.catalog, {}, { signal })).map((model) => ({ ...model, id: idOf(model.model) })),
});
