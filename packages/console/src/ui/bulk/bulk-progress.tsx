import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import styles from './bulk.module.css';

/** Indeterminate, because the rows change in one transaction. */
export function BulkProgress({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const text =
    count === 1 ? t('Changing 1 row…') : t('Changing {count} rows (all or none)…', { count: formatNumber(count) });
  return (
    <div>
      <Text size="sm" role="status" mb={6}>
        {text}
      </Text>
      <div className={styles['progress']} role="progressbar" aria-label={text} />
    </div>
  );
}
