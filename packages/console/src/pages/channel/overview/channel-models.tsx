import { type Channel, type ChannelOverview, priceUnits } from '@headgate/contract';
import { Anchor, Badge, Button, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { priceColumnDecimals } from '../../../lib/format/column-decimals.ts';
import { formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { query } from '../../../lib/page/address.ts';
import styles from './overview.module.css';
import { OverviewSection } from './overview-section.tsx';
import { formatFraction, successRate } from './overview-stats.ts';

const shownAtFirst = 10;

interface ChannelModelsProps {
  readonly overview: ChannelOverview;
  readonly channel: Channel;
}

/** Models of the channel with price, traffic and state. */
export function ChannelModels({ overview: { models }, channel }: ChannelModelsProps) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? models : models.slice(0, shownAtFirst);
  const decimals = priceColumnDecimals(shown.flatMap(({ price }) => (price ? [price.input, price.output] : [])));
  return (
    <OverviewSection
      title={t('Models')}
      tool={
        <Text span c="dimmed" size="sm">
          {formatNumber(models.length)}
        </Text>
      }
    >
      {models.length === 0 && <Text c="dimmed">{t('No models')}</Text>}
      {models.length > 0 && (
        <div className={styles['scroll']}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Model')}</Table.Th>
                <Table.Th data-number>{t('Requests')}</Table.Th>
                <Table.Th data-number>{t('Success rate')}</Table.Th>
                <Table.Th data-number>{t('Input')}</Table.Th>
                <Table.Th data-number>{t('Output')}</Table.Th>
                <Table.Th>{t('Status')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((model) => (
                <ModelRow key={model.model} row={model} channel={channel} decimals={decimals} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {shown.length < models.length && (
        <Button variant="subtle" size="xs" mt="xs" onClick={() => setWhole(true)}>
          {t('Show all {count}', { count: formatNumber(models.length) })}
        </Button>
      )}
    </OverviewSection>
  );
}

interface ModelRowProps {
  readonly row: ChannelOverview['models'][number];
  readonly channel: Channel;
  readonly decimals: number;
}

function ModelRow({ row, channel, decimals }: ModelRowProps) {
  const { t, label } = useTranslation();
  const { model, requests, price, unit, is_paused } = row;
  const rate = successRate(row);
  return (
    <Table.Tr>
      <Table.Th scope="row" className={styles['model'] ?? ''}>
        {model}
      </Table.Th>
      <Table.Td data-number>
        {requests === 0 ? (
          <Text span c="dimmed" inherit>
            0
          </Text>
        ) : (
          <Anchor
            component={Link}
            to="/log"
            search={query({ channel: channel.id, model_name: model })}
            inherit
            aria-label={`${formatNumber(requests)}: ${t('Logs of {name}', { name: model })}`}
          >
            {formatNumber(requests)}
          </Anchor>
        )}
      </Table.Td>
      <Table.Td data-number {...(rate !== null && rate < 0.95 && { 'data-bad': true })}>
        {rate === null ? '–' : formatFraction(rate)}
      </Table.Td>
      {price ? (
        <>
          <Table.Td data-number title={label(priceUnits[unit].label)}>
            {formatMoney(price.input, decimals)}
          </Table.Td>
          <Table.Td data-number>{unit === 'tokens' ? formatMoney(price.output, decimals) : '–'}</Table.Td>
        </>
      ) : (
        <Table.Td data-number colSpan={2}>
          <Anchor component={Link} to="/prices" search={query({ keyword: model })} inherit>
            {t('No price')}
          </Anchor>
        </Table.Td>
      )}
      <Table.Td>
        {is_paused ? (
          <Badge color="yellow" variant="light" tt="none">
            {t('Paused')}
          </Badge>
        ) : (
          <Text span c="dimmed" inherit>
            {t('In use')}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
