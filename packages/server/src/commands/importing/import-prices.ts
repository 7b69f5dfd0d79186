import { isPriceOption, optionRow, type Ratios } from '@headgate/contract';
import type { ImportedOption } from '@headgate/importer';
import { applyRatios, type PriceEntry, rescaleEntries } from '../../catalog/prices/price-entries.ts';
import type { StoredPrices } from '../../catalog/prices/price-repository.ts';

/** The price table after an import. The source has ratios, based on the QuotaPerUnit imported with them. */
export function importedPrices(
  { rows, quotaPerUnit }: StoredPrices,
  options: readonly ImportedOption[],
): readonly PriceEntry[] {
  const rate = options.find(({ key }) => key === 'QuotaPerUnit');
  const rateAfter = rate ? Number(rate.text) : quotaPerUnit;
  let entries: readonly PriceEntry[] = rate ? rescaleEntries(rows, quotaPerUnit, rateAfter) : rows;
  for (const { key, text } of options) {
    if (!isPriceOption(key)) continue;
    entries = applyRatios(entries, key, optionRow(key).schema.parse(text) as Ratios, rateAfter);
  }
  return entries;
}
