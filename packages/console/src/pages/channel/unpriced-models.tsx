import { priceApi } from '@headgate/contract';
import { Anchor, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { call } from '../../lib/api/call.ts';
import { query } from '../../lib/page/address.ts';
import { useStatus } from '../../lib/page/status.ts';

const maxListed = 5;
const typingMs = 400;

/** Comma-separated list of the unpriced models among these. */
const unpricedModelsQuery = (models: string) =>
  queryOptions({
    queryKey: ['unpriced-models', models],
    queryFn: ({ signal }) => call(priceApi.unpriced, { query: { models } }, { signal }),
    meta: { quiet: true },
  });

/** Lists selected models without a price, with a link to set one. */
export function UnpricedModels({ models }: { readonly models: readonly string[] }) {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const [debouncedModels] = useDebouncedValue(models.join(','), typingMs);
  const { data = [] } = useQuery({
    ...unpricedModelsQuery(debouncedModels),
    enabled: extensions && debouncedModels !== '',
  });
  const unpriced = data.filter(({ model }) => models.includes(model)).map(({ model }) => model);
  if (unpriced.length === 0) return null;
  const named = unpriced.slice(0, maxListed).join(', ') + (unpriced.length > maxListed ? ' …' : '');
  return (
    <Text size="sm" c="light-dark(#963a06, var(--mantine-color-orange-4))" role="status">
      {t('No price: {models}', { models: named })}{' '}
      <Anchor underline="always" component={Link} to="/prices" search={query({ status: 1 })} inherit>
        {t('Prices')}
      </Anchor>
    </Text>
  );
}
