import { useTranslation } from '../../i18n/translate.ts';

/** Form validation of an amount. Rejects unreadable input; the field shows the details. */
export function useQuotaValidation({ isPositive = false } = {}): (quota: number | '') => string | null {
  const { t } = useTranslation();
  return (quota) => {
    if (Number.isNaN(quota)) return t('Invalid quota');
    return isPositive && (quota === '' || quota < 1) ? t('Enter an amount above 0') : null;
  };
}
