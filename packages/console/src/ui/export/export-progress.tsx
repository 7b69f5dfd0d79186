import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useExports } from '../../lib/api/exports.ts';
import { formatNumber } from '../../lib/format/format.ts';
import styles from './export.module.css';

/** Progress of an export with a cancel button, or its error; nothing without an export. */
export function ExportProgress({ list }: { readonly list: string }) {
  const { t } = useTranslation();
  const { running, failed } = useExports();
  if (failed?.list === list) {
    return (
      <Alert color="red" mb="sm" title={t('The export failed')} role="alert">
        <Text size="sm" mb="xs">
          {failed.message}
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" variant="light" color="red" onClick={failed.retry}>
            {t('Try again')}
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={failed.dismiss}>
            {t('Close')}
          </Button>
        </Group>
      </Alert>
    );
  }
  if (running?.list !== list) return null;
  const { done, wanted, cancel } = running;
  return (
    <Group gap="sm" mb="sm" className={styles['progress'] ?? ''}>
      <Text size="sm" className={styles['figures'] ?? ''}>
        {wanted === undefined
          ? t('Preparing the export…')
          : t('{done} of {wanted} rows', { done: formatNumber(done), wanted: formatNumber(wanted) })}
      </Text>
      {wanted !== undefined && (
        <Progress className={styles['bar'] ?? ''} value={wanted ? (100 * done) / wanted : 0} aria-label={t('Export')} />
      )}
      <Button size="compact-sm" variant="default" onClick={cancel}>
        {t('Cancel')}
      </Button>
    </Group>
  );
}
