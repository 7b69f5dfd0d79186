import type { StatementDocument, StatementTax } from '@headgate/contract';
import { Table, Title } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { documentRows } from './document-rows.ts';
import styles from './statement.module.css';

interface StatementPartiesProps {
  readonly document: StatementDocument | null;
  readonly buyer: string;
}

/** Number, seller and buyer; nothing without a document. */
export function StatementParties({ document, buyer }: StatementPartiesProps) {
  const { t } = useTranslation();
  if (!document) return null;
  return (
    <Table aria-label={t('Seller and buyer')} variant="vertical" layout="fixed">
      <Table.Tbody>
        {documentRows(document, buyer, t).map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={160}>{name}</Table.Th>
            <Table.Td className={styles['value'] ?? ''}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** Taxes of the invoices and credit notes; nothing without any. */
export function TaxTable({ taxes }: { readonly taxes: readonly StatementTax[] }) {
  const { t } = useTranslation();
  if (taxes.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('Tax')}
      </Title>
      <Table className={styles['amounts'] ?? ''} aria-label={t('Tax')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Tax')}</Table.Th>
            <Table.Th>{t('Paid')}</Table.Th>
            <Table.Th>{t('Refunded')}</Table.Th>
            <Table.Th>{t('Net amount')}</Table.Th>
            <Table.Th>{t('Tax amount')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {taxes.map(({ currency, tax_label, tax_rate, paid, refunded, net, tax }) => (
            <Table.Tr key={`${currency} ${tax_rate} ${tax_label}`}>
              <Table.Td>{`${tax_label} ${tax_rate}%`}</Table.Td>
              <Table.Td>{formatCurrency(paid, currency)}</Table.Td>
              <Table.Td>{formatCurrency(refunded, currency)}</Table.Td>
              <Table.Td>{formatCurrency(net, currency)}</Table.Td>
              <Table.Td>{formatCurrency(tax, currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
