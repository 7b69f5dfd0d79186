import type { Statement, StatementCredit } from '@headgate/contract';
import { Table, Text, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { Time } from '../time.tsx';
import styles from './statement.module.css';
import { TaxTable } from './statement-document.tsx';

interface StatementTablesProps {
  readonly statement: Statement;
  readonly describe: (credit: StatementCredit) => string;
  /** True for a member or project, which have no credits. */
  readonly isPart?: boolean;
}

/** Usage by model, credits, balances and taxes. */
export function StatementTables({ statement, describe, isPart = false }: StatementTablesProps) {
  return (
    <>
      <UsageTable statement={statement} />
      {!isPart && <CreditTable statement={statement} describe={describe} />}
      {!isPart && <BalanceTable statement={statement} />}
      {statement.document && <TaxTable taxes={statement.document.taxes} />}
    </>
  );
}

function UsageTable({ statement: { models, total } }: Pick<StatementTablesProps, 'statement'>) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const rowOf = ({ requests, failures, prompt_tokens, completion_tokens, quota }: Statement['total']) => (
    <>
      <Table.Td>{formatNumber(requests)}</Table.Td>
      <Table.Td>{formatNumber(failures)}</Table.Td>
      <Table.Td>{formatNumber(prompt_tokens)}</Table.Td>
      <Table.Td>{formatNumber(completion_tokens)}</Table.Td>
      <Table.Td>{format(quota)}</Table.Td>
    </>
  );
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('Usage')}
      </Title>
      {models.length === 0 && <Text c="dimmed">{t('No usage in this period')}</Text>}
      {models.length > 0 && (
        <Table className={styles['numbers'] ?? ''} aria-label={t('Usage')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Model')}</Table.Th>
              <Table.Th>{t('Requests')}</Table.Th>
              <Table.Th>{t('Failed')}</Table.Th>
              <Table.Th>{t('Prompt tokens')}</Table.Th>
              <Table.Th>{t('Completion tokens')}</Table.Th>
              <Table.Th>{t('Amount')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {models.map(({ model, ...sums }) => (
              <Table.Tr key={model}>
                <Table.Td>{model || t('Others')}</Table.Td>
                {rowOf(sums)}
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Td>{t('Total')}</Table.Td>
              {rowOf(total)}
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      )}
    </section>
  );
}

/** Hidden if the balances are unknown. */
function BalanceTable({ statement }: Pick<StatementTablesProps, 'statement'>) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { opening, closing, credited, planned, total } = statement;
  if (opening === null || closing === null) return null;
  const rows: readonly (readonly [string, number])[] = [
    [t('Opening balance'), opening],
    [t('Credits'), credited],
    [t('Usage'), -total.quota],
    ...(planned > 0 ? [[t('Charged to plans'), planned] as const] : []),
  ];
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('Balance')}
      </Title>
      <Table className={styles['credits'] ?? ''} aria-label={t('Balance')}>
        <Table.Tbody>
          {rows.map(([name, points]) => (
            <Table.Tr key={name}>
              <Table.Td colSpan={2}>{name}</Table.Td>
              <Table.Td>{format(points)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Td colSpan={2}>{t('Closing balance')}</Table.Td>
            <Table.Td>{format(closing)}</Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </section>
  );
}

function CreditTable({ statement: { credits, credited }, describe }: Omit<StatementTablesProps, 'isPart'>) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const isIncomplete = credits.some(({ amount }) => amount === null);
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('Credits')}
      </Title>
      {credits.length === 0 && <Text c="dimmed">{t('No top-ups, gifts or edits in this period')}</Text>}
      {credits.length > 0 && (
        <Table className={styles['credits'] ?? ''} aria-label={t('Credits')}>
          <Table.Tbody>
            {credits.map((credit, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: credits have no id, and the list never changes.
              <Table.Tr key={index}>
                <Table.Td>
                  <Time seconds={credit.time} />
                </Table.Td>
                <Table.Td>{describe(credit)}</Table.Td>
                <Table.Td>{credit.amount === null ? t('not recorded') : format(credit.amount)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Td colSpan={2}>{t('Total')}</Table.Td>
              <Table.Td>{format(credited)}</Table.Td>
            </Table.Tr>
          </Table.Tfoot>
        </Table>
      )}
      {isIncomplete && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('Amounts of some older edits are not recorded and not part of the total.')}
        </Text>
      )}
    </section>
  );
}
