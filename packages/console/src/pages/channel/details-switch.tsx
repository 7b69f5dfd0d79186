import { Switch } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import type { StoredFlag } from './stored-flags.ts';

/** Toggles the details of the channels. */
export function DetailsSwitch({ details }: { readonly details: StoredFlag }) {
  const { t } = useTranslation();
  return (
    <Switch
      size="sm"
      label={t('Details')}
      checked={details.isSet}
      onChange={(event) => details.set(event.currentTarget.checked)}
    />
  );
}
