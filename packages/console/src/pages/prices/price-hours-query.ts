import { optionApi, type PriceHours, type PriceWindow, readPriceHours, serializePriceHours } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

export const priceHoursOption = 'PriceHours';

const noHours: PriceHours = new Map();

async function readOption(signal?: AbortSignal): Promise<PriceHours> {
  const rows = await call(optionApi.list, { query: { ratios: 'saved' } }, { ...(signal && { signal }) });
  return readPriceHours(rows.find(({ key }) => key === priceHoursOption)?.value ?? '').hours ?? noHours;
}

export const priceHoursQuery = queryOptions({
  queryKey: ['option', priceHoursOption],
  queryFn: ({ signal }) => readOption(signal),
  gcTime: 0,
});

/** Replaces the hours of one model in the option that stores the hours of all models. */
export async function savePriceHours(model: string, hours: readonly PriceWindow[]): Promise<void> {
  const all = new Map(await readOption());
  if (hours.length > 0) all.set(model, hours);
  else all.delete(model);
  await call(optionApi.update, { body: { key: priceHoursOption, value: serializePriceHours(all) } });
}
