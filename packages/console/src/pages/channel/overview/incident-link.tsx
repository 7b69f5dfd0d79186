import { maxIncidentModels } from '@headgate/contract';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/translate.ts';
import { query } from '../../../lib/page/address.ts';

/** Opens the form of a new incident with these models. The channel's name is internal and is not included. */
export function IncidentLink({ models }: { readonly models: readonly string[] }) {
  const { t } = useTranslation();
  const affected = models.filter((model) => model !== '').slice(0, maxIncidentModels);
  const [first] = affected;
  const title =
    affected.length === 1 && first !== undefined
      ? t('Elevated error rate for {model}', { model: first })
      : t('Elevated error rate');
  return (
    <Button
      component={Link}
      to="/status"
      search={query({ post: true, title, models: affected.join(',') || undefined })}
      size="xs"
      variant="default"
    >
      {t('Post an incident')}
    </Button>
  );
}
