import type { PriceCurrency, PricePart, PriceSource, PriceUnitName } from '@headgate/contract';
import type { Generated } from 'kysely';

/** One component of the stored price of a model. */
export interface PriceTable {
  id: Generated<number>;
  /** Model name, or `name(type)` for one channel type. */
  model: string;
  part: PricePart;
  unit: PriceUnitName;
  /** Decimal number, as entered. */
  amount: string;
  currency: PriceCurrency;
  source: PriceSource;
  updated_time: number;
  /** Username. */
  updated_by: string;
}

/** Change of one price component. A null amount means that there was no price before or after. */
export interface PriceChangeTable {
  id: Generated<number>;
  model: string;
  part: PricePart;
  unit: PriceUnitName;
  old_amount: string | null;
  old_currency: PriceCurrency | null;
  amount: string | null;
  currency: PriceCurrency | null;
  source: PriceSource;
  changed_time: number;
  /** Username. */
  changed_by: string;
}
