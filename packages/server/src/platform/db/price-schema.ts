import type { PriceCurrency, PricePart, PriceSource, PriceUnitName } from '@headgate/contract';
import type { Generated } from 'kysely';

/** One part of the saved price of a model. */
export interface PriceTable {
  id: Generated<number>;
  /** A name, or `name(type)` for one channel type. */
  model: string;
  part: PricePart;
  unit: PriceUnitName;
  /** A decimal number, as it was entered. */
  amount: string;
  currency: PriceCurrency;
  source: PriceSource;
  updated_time: number;
  /** Username. */
  updated_by: string;
}

/** One change of one part. No amount: there was none before, or there is none after. */
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
