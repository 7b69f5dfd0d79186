import { type ModelPrice, type OwnPrice, type PricePart, priceBases, priceUnits } from '@headgate/contract';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Translation, useTranslation } from '../../i18n/translate.ts';
import { formatNumber, formatPrice as priceText } from '../../lib/format/format.ts';
import type { Card, Column } from '../../ui/list/column.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { pricePartLabels } from './price-labels.ts';
import { priceSourceIds, priceSources } from './price-queries.ts';

type Row = Pick<ModelPrice, 'model' | 'unit' | 'price'> &
  Partial<Pick<ModelPrice, 'source'> & Pick<OwnPrice, 'has_price'>>;

/** Price components with a column. */
const shownParts = ['input', 'output', 'cached', 'cache_write'] as const;

export function usePriceColumns(): readonly Column<ModelPrice>[] {
  const { t } = useTranslation();
  const shared = useSharedColumns<ModelPrice>();
  return [
    ...shared,
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

export const useOwnPriceColumns = (): readonly Column<OwnPrice>[] => useSharedColumns<OwnPrice>();

function useSharedColumns<R extends Row>(): readonly Column<R>[] {
  const { t, label } = useTranslation();
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
    ...shownParts.map((part) => ({
      id: part,
      title: label(pricePartLabels[part]),
      ...((part === 'input' || part === 'output') && { sort: part }),
      isNumber: true,
      width: part === 'cache_write' ? 108 : 100,
      cell: (row: R): ReactNode => amountOf(row, part),
    })),
  ];
}

const isUnpriced = ({ source, has_price }: Row): boolean => source === 'none' || has_price === false;

/** Empty without a price or this component. */
function amountOf(row: Row, part: PricePart): string {
  if (isUnpriced(row) || (row.unit !== 'tokens' && part !== 'input')) return '';
  const { price } = row;
  const isUsual = part === 'cached' || part === 'cache_write' ? price[part] === price.input : false;
  return isUsual ? '' : priceText(price[part]);
}

/** Components that are shown only where they differ from the component that they are a multiple of. */
const extraParts = ['audio', 'audio_output', 'image', 'image_output', 'call'] as const;

const extrasOf = (row: Row): readonly (typeof extraParts)[number][] =>
  isUnpriced(row)
    ? []
    : extraParts.filter((part) => {
        const base = priceBases[part];
        return base === null ? row.price[part] > 0 : row.unit === 'tokens' && row.price[part] !== row.price[base];
      });

/** Unit, and components without a column. */
const notesOf = (row: Row, label: Translation['label']): readonly string[] => [
  ...(row.unit === 'tokens' ? [] : [label(priceUnits[row.unit].label)]),
  ...extrasOf(row).map((part) => `${label(pricePartLabels[part])} ${priceText(row.price[part])}`),
];

/** Facts of the phone card. */
export function factsOf(row: Row, { t, label }: Pick<Translation, 't' | 'label'>): Card['facts'] {
  if (isUnpriced(row)) return [{ name: t('Price'), value: t('No price'), isWide: true }];
  const parts = shownParts.flatMap((part) => {
    const value = amountOf(row, part);
    return value === '' ? [] : [{ name: label(pricePartLabels[part]), value }];
  });
  const extras = extrasOf(row).map((part) => ({
    name: label(pricePartLabels[part]),
    value: priceText(row.price[part]),
  }));
  return [...parts, ...extras, { name: t('Unit'), value: label(priceUnits[row.unit].label), isWide: true }];
}
