import type { ModelPrice } from '@headgate/contract';
import { Button, Text } from '@mantine/core';
import { IconDownload, IconPencil, IconRefresh, IconUpload } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { downloadText } from '../../lib/api/download.ts';
import { useList } from '../../lib/list/list.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { factsOf, usePriceColumns } from './price-columns.tsx';
import { priceTable } from './price-import.ts';
import { countPrices, priceList, priceSourceIds, priceSources, readAllPrices, readPrices } from './price-queries.ts';

const PriceDialog = lazy(async () => ({ default: (await import('./price-dialog.tsx')).PriceDialog }));
const PriceListDialog = lazy(async () => ({ default: (await import('./price-list-dialog.tsx')).PriceListDialog }));
const PriceImportDialog = lazy(async () => ({
  default: (await import('./price-import-dialog.tsx')).PriceImportDialog,
}));

/** All built-in, stored and offered models with their prices. */
export function PriceListPage() {
  const { t, label } = useTranslation();
  const queries = useQueryClient();
  const [edited, setEdited] = useState<ModelPrice>();
  const [tool, setTool] = useState<'import' | 'update'>();
  const list = useList<ModelPrice>({ name: priceList, read: readPrices, counts: countPrices });
  const columns = usePriceColumns(list.rows);
  const refresh = () => void queries.invalidateQueries({ queryKey: [priceList] });
  return (
    <>
      <ListPage
        title={t('Prices')}
        aside={<Text c="dimmed">{t('Prices per million tokens')}</Text>}
        list={list}
        managed="model"
        columns={columns}
        rowKey={({ model }) => model}
        rowName={({ model }) => model}
        actions={(row) => [
          {
            label: t('Edit price'),
            icon: IconPencil,
            onClick: () => setEdited(row),
            isPrimary: true,
            ifManaged: 'reads',
          },
        ]}
        statuses={priceSources}
        searchLabel={t('Search by model')}
        emptyText={t('No matching models')}
        tools={<PriceTools onImport={() => setTool('import')} onUpdate={() => setTool('update')} />}
        card={(row) => ({
          title: row.model,
          status: <StatusDot status={priceSourceIds[row.source]} statuses={priceSources} />,
          facts: factsOf(row, { t, label }),
        })}
      />
      <Suspense fallback={null}>
        {edited && <PriceDialog row={edited} onClosed={() => setEdited(undefined)} onSaved={refresh} />}
        {tool === 'import' && <PriceImportDialog onClosed={() => setTool(undefined)} onSaved={refresh} />}
        {tool === 'update' && <PriceListDialog onClosed={() => setTool(undefined)} onSaved={refresh} />}
      </Suspense>
    </>
  );
}

interface PriceToolsProps {
  readonly onImport: () => void;
  readonly onUpdate: () => void;
}

function PriceTools({ onImport, onUpdate }: PriceToolsProps) {
  const { t } = useTranslation();
  const download = async () => downloadText('prices.csv', priceTable(await readAllPrices()), 'text/csv');
  return (
    <>
      <Button
        variant="default"
        px="sm"
        leftSection={<IconRefresh size={16} stroke={1.6} aria-hidden />}
        onClick={onUpdate}
      >
        {t('Update prices')}
      </Button>
      <Button
        variant="default"
        px="sm"
        leftSection={<IconUpload size={16} stroke={1.6} aria-hidden />}
        onClick={onImport}
      >
        {t('Import')}
      </Button>
      <Button
        variant="default"
        px="sm"
        leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
        onClick={() => void download()}
      >
        {t('Export')}
      </Button>
    </>
  );
}
