import { useTranslation } from '../../i18n/translate.ts';

/** Form validation of a quota. Rejects unreadable input; the field shows the details. */
export function useQuotaValidation(): (quota: number | '') => string | null {
  const { t } = useTranslation();
  return (quota) => (Number.isNaN(quota) ? t('Invalid quota') : null);
}
