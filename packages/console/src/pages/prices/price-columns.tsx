import {
  isServiceTier,
  type ModelPrice,
  type PriceInDollars,
  type PricePart,
  priceBases,
  priceUnits,
} from '@headgate/contract';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Translation, useTranslation } from '../../i18n/translate.ts';
import { priceColumnDecimals } from '../../lib/format/column-decimals.ts';
import { formatMoney, formatNumber, formatPrice as priceText } from '../../lib/format/format.ts';
import type { Card, Column } from '../../ui/list/column.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { pricePartLabels } from './price-labels.ts';
import { priceSourceIds, priceSources } from './price-queries.ts';

type Row = Pick<ModelPrice, 'model' | 'unit'> &
  Partial<Pick<ModelPrice, 'source'>> & { readonly price: PriceInDollars | null };

/** Price components with a column. */
const shownParts = ['input', 'output', 'cached', 'cache_write'] as const;

export function usePriceColumns(rows: readonly ModelPrice[]): readonly Column<ModelPrice>[] {
  const { t, label } = useTranslation();
  const parts = usePriceParts<ModelPrice>(shownParts, rows);
  return [
    {
      id: 'model',
      title: t('Model'),
      sort: 'model',
      width: 182,
      grow: 1,
      isName: true,
      cell: (row) => (
        <>
          <Text span fw={500} inherit>
            {row.model}
          </Text>
          {notesOf(row, label).map((note) => (
            <Text key={note} span c="dimmed" size="xs" ml={8}>
              {note}
            </Text>
          ))}
        </>
      ),
    },
    ...parts,
    {
      id: 'source',
      title: t('Source'),
      width: 96,
      cell: ({ source }) => <StatusDot status={priceSourceIds[source]} statuses={priceSources} />,
    },
    {
      id: 'ratios',
      title: t('Ratios'),
      width: 104,
      isNumber: true,
      cell: ({ source, model_ratio, completion_ratio }) =>
        source === 'none'
          ? ''
          : `${formatNumber(model_ratio)} × ${formatNumber(Number(completion_ratio.toPrecision(4)))}`,
    },
    {
      id: 'channels',
      title: t('Channels'),
      isNumber: true,
      width: 84,
      cell: ({ channels }) => (channels === 0 ? '' : channels),
    },
  ];
}

/** Columns of price components, each with the same number of decimals in all rows. */
export function usePriceParts<R extends Row>(parts: readonly PricePart[], rows: readonly R[]): readonly Column<R>[] {
  const { label } = useTranslation();
  const decimalsOf = (part: PricePart) => priceColumnDecimals(rows.flatMap((row) => shownAmount(row, part) ?? []));
  return parts.map((part) => ({
    id: part,
    title: label(pricePartLabels[part]),
    ...((part === 'input' || part === 'output') && { sort: part }),
    isNumber: true,
    // Same width as the column titles.
    width: part === 'input' || part === 'output' ? 88 : 108,
    cell: (row: R): ReactNode => amountOf(row, part, decimalsOf(part)),
  }));
}

/** Undefined if there is no price or it lacks this component. */
function shownAmount(row: Row, part: PricePart): number | undefined {
  const { price } = row;
  if (!price || row.source === 'none' || (row.unit !== 'tokens' && part !== 'input')) return undefined;
  const isUsual = part === 'cached' || part === 'cache_write' ? price[part] === price.input : false;
  return isUsual ? undefined : price[part];
}

/** Text of a component; empty if it has none. */
export function amountOf(row: Row, part: PricePart, decimals?: number): string {
  const amount = shownAmount(row, part);
  if (amount === undefined) return '';
  return decimals === undefined ? priceText(amount) : formatMoney(amount, decimals);
}

/** Components that are shown only where they differ from the component on which they are based. */
const extraParts = ['audio', 'audio_output', 'image', 'image_output', 'flex', 'priority', 'call'] as const;

function extrasOf({ price, unit, source }: Row): readonly (readonly [part: PricePart, amount: number])[] {
  if (!price || source === 'none') return [];
  return extraParts.flatMap((part) => {
    const base = priceBases[part];
    const isShown =
      base === null || isServiceTier(part) ? price[part] > 0 : unit === 'tokens' && price[part] !== price[base];
    return isShown ? [[part, price[part]] as const] : [];
  });
}

/** Unit, and components without a column. */
const notesOf = (row: Row, label: Translation['label']): readonly string[] => [
  ...(row.unit === 'tokens' ? [] : [label(priceUnits[row.unit].label)]),
  ...extrasOf(row).map(([part, amount]) => `${label(pricePartLabels[part])} ${priceText(amount)}`),
];

/** Fields of the phone card. */
export function factsOf(row: Row, { t, label }: Pick<Translation, 't' | 'label'>): Card['facts'] {
  if (!row.price || row.source === 'none') return [{ name: t('Price'), value: t('No price'), isWide: true }];
  const parts = shownParts.flatMap((part) => {
    const value = amountOf(row, part);
    return value === '' ? [] : [{ name: label(pricePartLabels[part]), value }];
  });
  const extras = extrasOf(row).map(([part, amount]) => ({
    name: label(pricePartLabels[part]),
    value: priceText(amount),
  }));
  // The default unit is next to the title of the page.
  const unit =
    row.unit === 'tokens' ? [] : [{ name: t('Unit'), value: label(priceUnits[row.unit].label), isPlain: true }];
  return [...parts, ...extras, ...unit];
}
