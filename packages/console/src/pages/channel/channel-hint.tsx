import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import type { StoredFlag } from './stored-flags.ts';

/** Hint about tests and details. Loaded only until it is dismissed. */
export function ChannelHint({ seen }: { readonly seen: StoredFlag }) {
  const { t } = useTranslation();
  return (
    <Alert
      variant="light"
      mt="sm"
      py="xs"
      icon={<IconInfoCircle size={18} aria-hidden />}
      withCloseButton
      closeButtonLabel={t('Dismiss this hint')}
      onClose={() => seen.set(true)}
    >
      {t(
        'Tests use gpt-3.5-turbo if the channel offers it, otherwise its first model. Turn on Details to choose another model, see balances and set weights.',
      )}
    </Alert>
  );
}
