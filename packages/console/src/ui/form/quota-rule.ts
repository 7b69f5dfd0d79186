import { useWords } from '../../i18n/translate.ts';

/** Form validation of a quota. Rejects unreadable input; the field shows the details. */
export function useQuotaRule(): (quota: number | '') => string | null {
  const { t } = useWords();
  return (quota) => (Number.isNaN(quota) ? t('Invalid quota') : null);
}
