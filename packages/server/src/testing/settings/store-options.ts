import { isPriceOption, type OptionKey, optionRow, type Ratios } from '@headgate/contract';
import { applyRatios, type PriceEntry } from '../../catalog/prices/price-entries.ts';
import { PriceRepository } from '../../catalog/prices/price-repository.ts';
import type { Database } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

/** Stores options, valid or not, and the prices of ratio options, before the app reads them. */
export async function storeOptions(
  database: Database,
  box: SecretBox,
  options: Partial<Record<OptionKey, string>>,
): Promise<void> {
  const given = Object.entries(options) as [OptionKey, string][];
  for (const [key, value] of given.filter(([name]) => !isPriceOption(name))) {
    const text = optionRow(key).control === 'secret' ? box.seal(value) : value;
    await database.insertInto('options').values({ key, value: text }).execute();
  }
  const prices = new PriceRepository(database);
  const { rows, quotaPerUnit } = await prices.stored();
  let entries: readonly PriceEntry[] = rows;
  for (const [key, value] of given) {
    if (!isPriceOption(key)) continue;
    entries = applyRatios(entries, key, optionRow(key).schema.parse(value) as Ratios, quotaPerUnit);
  }
  await prices.replace(rows, entries, { username: 'root', source: 'options' });
}
