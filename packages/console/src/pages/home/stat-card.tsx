import { Anchor, Card, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { query } from '../../lib/page/address.ts';
import styles from './home.module.css';

interface StatCardProps {
  readonly name: string;
  readonly value: string;
  /** Current and previous value; undefined if unknown. */
  readonly change?: { readonly now: number; readonly before: number } | undefined;
  /** True if an increase is bad. */
  readonly isTrouble?: boolean;
  /** Second line, such as a share of the total. */
  readonly note?: string | undefined;
  readonly to: string;
  readonly search?: Readonly<Record<string, string | undefined>>;
}

/** A metric with its change from the previous period, linked to its rows. */
export function StatCard({ name, value, change, isTrouble = false, note, to, search = {} }: StatCardProps) {
  return (
    <Card withBorder padding="sm" className={styles['figure'] ?? ''}>
      <Text c="dimmed" size="sm">
        {name}
      </Text>
      <Anchor component={Link} to={to} search={query(search)} className={styles['number'] ?? ''}>
        {value}
      </Anchor>
      <Text size="xs" c="dimmed" component="div">
        {change && <Change {...change} isTrouble={isTrouble} />}
        {note && <div>{note}</div>}
      </Text>
    </Card>
  );
}

interface ChangeProps {
  readonly now: number;
  readonly before: number;
  readonly isTrouble: boolean;
}

const noticeable = 0.01;
const betterColor = 'light-dark(var(--mantine-color-green-9), var(--mantine-color-green-4))';

function Change({ now, before, isTrouble }: ChangeProps) {
  const { t } = useTranslation();
  if (before === 0) return t('previously 0');
  const share = now / before - 1;
  const color = isTrouble ? (share > 0 ? 'red' : betterColor) : 'dimmed';
  if (Math.abs(share) < noticeable) return t('no change');
  const percent = formatNumber(Math.round(Math.abs(share) * 1000) / 10);
  const changeText = share < 0 ? t('down {percent}%', { percent }) : t('up {percent}%', { percent });
  return (
    <Text span size="xs" c={color} title={changeText}>
      <span aria-hidden>{`${share < 0 ? '−' : '+'}${percent}%`}</span>
      <span className={styles['unseen']}>{changeText}</span>
    </Text>
  );
}
