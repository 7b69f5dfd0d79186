import type { ComparedUsage } from '@headgate/contract';
import { Paper, SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { query } from '../../../lib/page/address.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { NameField } from '../../../ui/subject/name-field.tsx';
import { SubjectSelect } from '../../../ui/subject/subject-select.tsx';
import { useSubjectNames } from '../../../ui/subject/use-subjects.ts';
import styles from './compare.module.css';
import { comparisonQuery } from './compare-queries.ts';
import { type CompareRange, readSides, type Side, searchOfSides } from './compare-state.ts';
import { comparisonRows } from './comparison-rows.ts';

/** Two models or channels side by side: requests, failures, cost, length and latency. */
export function ComparePage() {
  const { t } = useTranslation();
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const state = readSides(search);
  // Read from the current URL, because several fields may change before the next render.
  const change = (next: Partial<typeof state>) =>
    void navigate({
      to: '.',
      search: (current: Readonly<Record<string, unknown>>) => query(searchOfSides({ ...readSides(current), ...next })),
      replace: true,
    });
  const { data, error, refetch } = useQuery(comparisonQuery(state));
  return (
    <Stack gap="md" maw={960}>
      <div className={styles['bar']}>
        <Title order={1}>{t('Compare')}</Title>
        <SegmentedControl
          size="sm"
          aria-label={t('Time range')}
          value={state.range}
          onChange={(value) => change({ range: value as CompareRange })}
          data={[
            { value: '1', label: t('24 hours') },
            { value: '7', label: t('7 days') },
            { value: '30', label: t('30 days') },
          ]}
        />
      </div>
      <div className={styles['sides']}>
        <SideFields title={t('First')} side={state.first} onChange={(first) => change({ first })} />
        <SideFields title={t('Second')} side={state.second} onChange={(second) => change({ second })} />
      </div>
      {error && !data && <LoadFailed title={t('The comparison could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={320} />}
      {data && <ComparisonTable sides={data.sides} usage={data.usage} />}
      <Text size="xs" c="dimmed">
        {t('Includes mirrored requests. Latencies are accurate to about 10%.')}
      </Text>
    </Stack>
  );
}

interface SideFieldsProps {
  readonly title: string;
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}

function SideFields({ title, side, onChange }: SideFieldsProps) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md" component="fieldset" className={styles['side'] ?? ''}>
      <legend>{title}</legend>
      <NameField
        source="model"
        label={t('Model')}
        placeholder={t('All models')}
        value={side.model}
        onChange={(model) => onChange({ ...side, model })}
      />
      <SubjectSelect
        source="channel"
        label={t('Channel')}
        placeholder={t('All channels')}
        value={side.channel === 0 ? '' : side.channel}
        onChange={(channel) => onChange({ ...side, channel: channel === '' ? 0 : channel })}
      />
    </Paper>
  );
}

const sideLabels = ['First', 'Second'] as const;

const isAll = ({ model, channel }: Side): boolean => model === '' && channel === 0;

interface ComparisonTableProps {
  readonly sides: readonly [Side, Side];
  readonly usage: { readonly first: ComparedUsage; readonly second: ComparedUsage };
}

function ComparisonTable({ sides, usage }: ComparisonTableProps) {
  const { t, label } = useTranslation();
  const formatQuota = useQuotaFormat();
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Metric')}</Table.Th>
            {sides.map((side, index) => (
              <Table.Th key={String(index)} ta="right">
                {isAll(side) && sides.every(isAll) ? t(sideLabels[index] ?? 'First') : <SideName side={side} />}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {comparisonRows(usage.first, usage.second, formatQuota).map(({ name, values }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{label(name)}</Table.Th>
              {values.map((value, index) => (
                <Table.Td key={String(index)} ta="right">
                  {value}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Model and channel of a column. */
function SideName({ side: { model, channel } }: { readonly side: Side }) {
  const { t } = useTranslation();
  const [name] = useSubjectNames('channel', channel === 0 ? [] : [channel]);
  return [model || (channel === 0 ? t('All models') : ''), name?.label].filter(Boolean).join(' · ');
}
