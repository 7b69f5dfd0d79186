import type { Usage, UsageHeading } from '@headgate/contract';
import { Anchor, Card, Skeleton, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { query } from '../../lib/page/address.ts';
import styles from './home.module.css';

interface TopCardProps {
  readonly title: string;
  readonly usage: Usage | undefined;
  /** Link to the usage of one entry. */
  readonly linkOf: (heading: UsageHeading) => Readonly<Record<string, string>>;
  /** Link to all entries. */
  readonly all: Readonly<Record<string, string>>;
}

/** Top entries, with a bar for the share of each. */
export function TopCard({ title, usage, linkOf, all }: TopCardProps) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const rows = usage ? chargedRows(usage.rows) : [];
  const largest = Math.max(1, ...rows.map(({ total }) => total.quota));
  return (
    <Card withBorder padding="md">
      <div className={styles['head']}>
        <Title order={2}>{title}</Title>
        <Text component="span" fw={600}>
          {usage && format(usage.total.quota)}
        </Text>
      </div>
      {!usage && <Skeleton height={120} />}
      {usage?.rows.length === 0 && <Text c="dimmed">{t('No usage in this period')}</Text>}
      <ul className={styles['largest']}>
        {rows.map((row) => (
          <li key={`${row.key} ${row.is_others}`}>
            <span className={styles['share']} style={{ inlineSize: `${(100 * row.total.quota) / largest}%` }} />
            <EntryName row={row} linkOf={linkOf} />
            <span className={styles['amount']}>{format(row.total.quota)}</span>
          </li>
        ))}
      </ul>
      <Anchor component={Link} to="/usage" search={query(all)} size="sm">
        {t('Show all in usage')}
        <span className={styles['unseen']}>: {title}</span>
      </Anchor>
    </Card>
  );
}

/** Without the entries that cost nothing, unless all are free. */
function chargedRows(rows: Usage['rows']): Usage['rows'] {
  const charged = rows.filter(({ total }) => total.quota > 0);
  return charged.length > 0 ? charged : rows;
}

function EntryName({ row, linkOf }: { readonly row: UsageHeading } & Pick<TopCardProps, 'linkOf'>) {
  const { t } = useTranslation();
  if (row.is_others) return <span className={styles['who']}>{t('Others')}</span>;
  return (
    <Anchor component={Link} to="/usage" search={query(linkOf(row))} className={styles['who'] ?? ''} title={row.label}>
      {row.label || t('(none)')}
    </Anchor>
  );
}
