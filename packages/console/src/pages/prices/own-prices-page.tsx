import { type OwnPrice, priceUnits } from '@headgate/contract';
import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useList } from '../../lib/list/list.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { factsOf, useOwnPriceColumns } from './price-columns.tsx';
import { priceList, readOwnPrices } from './price-queries.ts';

/** Models available to the user, with their prices. */
export function OwnPricesPage() {
  const { t, label } = useTranslation();
  const list = useList<OwnPrice>({ name: `${priceList}-own`, read: readOwnPrices });
  return (
    <ListPage
      title={t('Prices')}
      aside={<Text c="dimmed">{label(priceUnits.tokens.label)}</Text>}
      list={list}
      columns={useOwnPriceColumns()}
      rowKey={({ model }) => model}
      rowName={({ model }) => model}
      searchLabel={t('Search by model')}
      emptyText={t('No models available yet')}
      card={(row) => ({ title: row.model, facts: factsOf(row, { t, label }) })}
    >
      <Text c="dimmed" size="sm" mb="sm">
        {t('Prices of the models available to you, including your group ratio.')}
      </Text>
    </ListPage>
  );
}
