import { useWords } from '../../i18n/translate.ts';

/** The rule of forms for a quota: what could not be read is not saved. The field itself says more. */
export function useQuotaRule(): (quota: number | '') => string | null {
  const { t } = useWords();
  return (quota) => (Number.isNaN(quota) ? t('Invalid quota') : null);
}
