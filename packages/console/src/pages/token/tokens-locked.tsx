import { Alert } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';

/** Shown to a user whose tokens an admin has disabled. */
export function TokensLocked() {
  const { t } = useTranslation();
  return (
    <Alert color="red" mb="md" title={t('An admin disabled your tokens')}>
      {t('You cannot create or enable tokens until an admin allows it.')}
    </Alert>
  );
}
