import type { StatementDocument } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';

/** Number, seller and buyer of a statement, as label and value; without empty values. */
export function documentRows(
  { number, seller, address, tax_number }: StatementDocument,
  buyer: string,
  t: Translate,
): readonly (readonly [string, string])[] {
  const rows: readonly (readonly [string, string])[] = [
    [t('Statement number'), number],
    [t('Seller'), seller],
    [t('Seller address'), address],
    [t('Tax number'), tax_number],
    [t('Buyer'), buyer],
  ];
  return rows.filter(([, value]) => value !== '');
}
