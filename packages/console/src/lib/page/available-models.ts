import { userApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** Models that the signed-in user may use. */
export const availableModelsQuery = queryOptions({
  queryKey: ['available-models'],
  queryFn: ({ signal }) => call(userApi.availableModels, {}, { signal }),
});
