import { ActionIcon, Button, Group, NumberInput, Table, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { type ManageableKind, useManaged } from '../../../lib/page/managed.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { ManagedBadge } from '../../../ui/managed/managed-row.tsx';
import { addRatio, parseRatios, removeRatio, setRatio } from './ratio-rows.ts';

interface RatioTableProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** True if the ratio is a price; otherwise it is a multiplier. */
  readonly isPrice: boolean;
  /** Kind of the rows in the configuration file. Undefined if it cannot contain them. */
  readonly kind: ManageableKind | undefined;
}

/** Maximum visible rows; others are found with the filter. */
const shownRows = 50;

/** One row per name: its ratio and, for prices, the cost of a million tokens. */
export function RatioTable({ label, text, onChange, isPrice, kind }: RatioTableProps) {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  const [filter, setFilter] = useState('');
  const isManaged = useManaged(kind);
  const rows = parseRatios(text);
  if (!rows) return <Text c="red">{t('The JSON is invalid. Fix it first.')}</Text>;
  const matching = rows.filter(([name]) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  const dollars = (ratio: number) => `$${formatNumber((ratio * 1_000_000) / quota_per_unit)}`;
  return (
    <div>
      <Group gap="xs" mb="xs" align="flex-end">
        <TextInput
          flex={1}
          label={label}
          placeholder={t('Filter or new name')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={filter.trim() === '' || rows.some(([name]) => name === filter.trim())}
          onClick={() => onChange(addRatio(text, filter.trim()))}
        >
          {t('Add')}
        </Button>
      </Group>
      <Table verticalSpacing={4}>
        <RatioHead isPrice={isPrice} />
        <Table.Tbody>
          {matching.slice(0, shownRows).map(([name, ratio]) => (
            <RatioRow
              key={name}
              name={name}
              ratio={ratio}
              price={isPrice ? dollars(ratio) : undefined}
              isManaged={isManaged(name)}
              onSet={(value) => onChange(setRatio(text, name, value))}
              onRemove={() => onChange(removeRatio(text, name))}
            />
          ))}
        </Table.Tbody>
      </Table>
      <Text size="sm" c="dimmed" mt={4}>
        {t('{shown} of {count}', { shown: Math.min(matching.length, shownRows), count: rows.length })}
      </Text>
    </div>
  );
}

function RatioHead({ isPrice }: Pick<RatioTableProps, 'isPrice'>) {
  const { t } = useTranslation();
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Name')}</Table.Th>
        <Table.Th w={130}>{t('Ratio')}</Table.Th>
        {isPrice && (
          <Table.Th w={130} ta="right">
            {t('Per 1M tokens')}
          </Table.Th>
        )}
        <Table.Th w={44} aria-label={t('Actions')} />
      </Table.Tr>
    </Table.Thead>
  );
}

interface RatioRowProps {
  readonly name: string;
  readonly ratio: number;
  /** Undefined if the ratio is not a price. */
  readonly price: string | undefined;
  readonly isManaged: boolean;
  readonly onSet: (ratio: number) => void;
  readonly onRemove: () => void;
}

function RatioRow({ name, ratio, price, isManaged, onSet, onRemove }: RatioRowProps) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={6}>
          {name}
          {isManaged && <ManagedBadge />}
        </Group>
      </Table.Td>
      <Table.Td>
        <NumberInput
          size="xs"
          aria-label={t('Ratio of {name}', { name })}
          min={0}
          step={0.1}
          allowNegative={false}
          disabled={isManaged}
          value={ratio}
          onChange={(value) => typeof value === 'number' && onSet(value)}
        />
      </Table.Td>
      {price !== undefined && <Table.Td ta="right">{price}</Table.Td>}
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={isManaged}
          aria-label={t('Remove {name}', { name })}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}
