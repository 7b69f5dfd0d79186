import { channelTypes, modelAvailabilities, priceUnits } from '@headgate/contract';
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { updateQuery } from '../../../lib/page/address.ts';
import type { Card, Column } from '../../../ui/list/column.ts';
import { ProviderTile } from '../../../ui/provider-mark/provider-tile.tsx';
import { Dot } from '../../../ui/status-dot.tsx';
import { amountOf, usePriceParts } from '../price-columns.tsx';
import { CapabilityNames } from './capability-icons.tsx';
import styles from './catalog.module.css';
import type { CatalogRow } from './model-catalog-rows.ts';

const [thousand, hundredThousand, million] = [1000, 100_000, 1_000_000];

const typeIds = new Map<string, number>(channelTypes.map(({ id, name }) => [name, id]));

/** Channel type of a vendor, for its mark; 0 if there is none. */
export const typeOf = ({ provider }: Pick<CatalogRow, 'provider'>): number => typeIds.get(provider) ?? 0;

/** Tokens as 128K or 1M; a dash if unknown. */
function contextText(tokens: number | null): string {
  if (tokens === null) return '—';
  if (tokens < thousand) return formatNumber(tokens);
  return tokens < million * 0.9995
    ? `${Math.round(tokens / thousand)}K`
    : `${formatNumber(Math.round(tokens / hundredThousand) / 10)}M`;
}

export function Availability({ row: { availability } }: { readonly row: CatalogRow }) {
  const { label } = useTranslation();
  const { color, label: text } = modelAvailabilities[availability];
  return <Dot color={color} text={label(text)} />;
}

/** Model name with its vendor's logo, linked to the details. */
function ModelName({ row }: { readonly row: CatalogRow }) {
  const { label } = useTranslation();
  return (
    <span className={styles['name']}>
      <ProviderTile type={typeOf(row)} />
      <Anchor
        component={Link}
        to="."
        search={updateQuery((before) => ({ ...before, open: row.model }))}
        inherit
        truncate
        data-model={row.model}
      >
        {row.model}
      </Anchor>
      {row.unit !== 'tokens' && (
        <Text span c="dimmed" size="xs" fw={400}>
          {label(priceUnits[row.unit].label)}
        </Text>
      )}
    </span>
  );
}

const shownParts = ['input', 'output', 'cached'] as const;

export function useCatalogColumns(isAdmin: boolean, rows: readonly CatalogRow[]): readonly Column<CatalogRow>[] {
  const { t, label } = useTranslation();
  const [inputPart, ...otherParts] = usePriceParts<CatalogRow>(shownParts, rows);
  const channels: Column<CatalogRow> = {
    id: 'channels',
    title: t('Channels'),
    isNumber: true,
    width: 84,
    cell: ({ channels: listed = [], channel_count = 0 }) => {
      if (channel_count === 0) return '';
      const healthy = listed.filter(({ state }) => state === 'healthy').length;
      return healthy === channel_count ? channel_count : `${healthy} / ${channel_count}`;
    },
  };
  return [
    {
      id: 'model',
      title: t('Model'),
      sort: 'model',
      width: 204,
      grow: 1,
      isName: true,
      cell: (row) => <ModelName row={row} />,
    },
    {
      id: 'provider',
      title: t('Provider'),
      width: 150,
      isExtra: true,
      cell: ({ provider }) => (provider === '' ? '—' : label(provider)),
    },
    ...(inputPart ? [{ ...inputPart, cell: (row: CatalogRow) => inputPart.cell(row) || <NoPrice /> }] : []),
    ...otherParts,
    {
      id: 'context',
      title: t('Context'),
      sort: 'context',
      isNumber: true,
      width: 78,
      cell: ({ context_window }) => contextText(context_window),
    },
    {
      id: 'capabilities',
      title: t('Capabilities'),
      width: 128,
      cell: ({ capabilities }) => <CapabilityNames capabilities={capabilities} />,
    },
    { id: 'availability', title: t('Status'), width: 104, cell: (row) => <Availability row={row} /> },
    ...(isAdmin ? [channels] : []),
  ];
}

function NoPrice() {
  const { t } = useTranslation();
  return (
    <Text span c="dimmed" inherit>
      {t('No price')}
    </Text>
  );
}

/** Compact phone card. */
export function useCatalogCard(): (row: CatalogRow) => Card {
  const { t } = useTranslation();
  return (row) => {
    const [input, output] = [amountOf(row, 'input'), amountOf(row, 'output')];
    return {
      title: <ModelName row={row} />,
      status: <Availability row={row} />,
      facts: [],
      lines: (
        <span className={styles['line']}>
          <span>{input === '' ? t('No price') : [input, output].filter(Boolean).join(' / ')}</span>
          {row.context_window !== null && <span>{contextText(row.context_window)}</span>}
          {row.capabilities.length > 0 && <CapabilityNames capabilities={row.capabilities} />}
        </span>
      ),
    };
  };
}
