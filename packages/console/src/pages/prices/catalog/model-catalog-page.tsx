import { isAdmin, modelApi, modelCapabilities } from '@headgate/contract';
import { Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconFlask, IconPlus } from '@tabler/icons-react';
import { queryOptions, useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { useUser } from '../../../lib/account/session.ts';
import { call } from '../../../lib/api/call.ts';
import { useList } from '../../../lib/list/list.ts';
import { useListFilters } from '../../../lib/list/list-filters.ts';
import { returnTo, updateQuery } from '../../../lib/page/address.ts';
import { useStatus } from '../../../lib/page/status.ts';
import { FilterChoice } from '../../../ui/list/filter-bar.tsx';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { useSelection } from '../../../ui/list/selection.ts';
import { useCatalogCard, useCatalogColumns } from './model-catalog-columns.tsx';
import {
  availabilityStatuses,
  type CatalogRow,
  catalogFilterNames,
  countModels,
  paginateCatalog,
  providersOf,
} from './model-catalog-rows.ts';

const modelCatalog = 'model-catalog';

/** Assigns ids in the order in which names are first seen, so that they stay stable when the catalog changes. */
const ids = new Map<string, number>();

function idOf(model: string): number {
  const id = ids.get(model) ?? ids.size + 1;
  ids.set(model, id);
  return id;
}

/** The whole catalog (a few hundred models), filtered and sorted in the browser. */
const catalogQuery = queryOptions({
  queryKey: [modelCatalog, 'all'],
  queryFn: async ({ signal }): Promise<readonly CatalogRow[]> =>
    (await call(modelApi.catalog, {}, { signal })).map((model) => ({ ...model, id: idOf(model.model) })),
});

const ModelDrawer = lazy(async () => ({ default: (await import('./model-drawer.tsx')).ModelDrawer }));
const AddModelsDialog = lazy(async () => ({ default: (await import('./add-models-dialog.tsx')).AddModelsDialog }));

/** Models with price, metadata and availability. Visible to visitors if an option allows it. */
export function ModelCatalogPage() {
  const user = useUser();
  const { model_catalog } = useStatus();
  const isFetching = useIsFetching({ queryKey: ['status'] }) > 0;
  if (user || model_catalog) return <ModelList />;
  return isFetching ? <Skeleton height={160} /> : <SignInFirst />;
}

function SignInFirst() {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" maw={960}>
      <Title order={1}>{t('Models')}</Title>
      <Paper withBorder p="xl">
        <Stack gap="sm" align="center" py="lg">
          <Text c="dimmed" ta="center">
            {t('Log in to see the models of this gateway.')}
          </Text>
          <Button component={Link} to="/login" state={returnTo('/catalog')}>
            {t('Log in')}
          </Button>
        </Stack>
      </Paper>
    </Stack>
  );
}

function useCatalog() {
  const queries = useQueryClient();
  const control = useListFilters(catalogFilterNames);
  const { filters } = control;
  const readAll = () => queries.fetchQuery({ ...catalogQuery, staleTime: 1000 });
  const list = useList<CatalogRow>({
    name: modelCatalog,
    read: async (state) => paginateCatalog(await readAll(), state, filters),
    counts: async () => countModels(await readAll()),
    dependencies: filters,
  });
  return { control, list, all: useQuery({ ...catalogQuery, enabled: false }).data ?? [] };
}

/** Rows of all pages that match the filters. */
const matchingRows = ({ control, list, all }: ReturnType<typeof useCatalog>) =>
  paginateCatalog(all, { ...list.state, p: 0, size: all.length }, control.filters).rows;

/** Model whose details are open, as given in the URL. */
function useOpenedModel() {
  const { open } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const show = (model: string | undefined) =>
    void navigate({ to: '.', search: updateQuery((before) => ({ ...before, open: model })), replace: true });
  return { opened: open === undefined || open === '' ? undefined : String(open), show };
}

function ModelList() {
  const { t } = useTranslation();
  const isManager = isAdmin(useUser());
  const { control, list, all } = useCatalog();
  const { opened, show } = useOpenedModel();
  const [added, setAdded] = useState<readonly CatalogRow[]>();
  const selection = useSelection(list);
  const addSelected = () => {
    const matching = selection.isEverything ? matchingRows({ control, list, all }) : all;
    setAdded(matching.filter(({ id }) => selection.has(id)));
  };
  const close = () => {
    show(undefined);
    // After the drawer has released the focus.
    setTimeout(() => document.querySelector<HTMLElement>(`[data-model="${CSS.escape(opened ?? '')}"]`)?.focus());
  };
  const canTry = useUser() !== undefined;
  return (
    <>
      <ListPage
        title={t('Models')}
        aside={<Text c="dimmed">{t('Prices per million tokens')}</Text>}
        list={list}
        columns={useCatalogColumns(isManager, list.rows)}
        rowKey={({ id }) => id}
        rowName={({ model }) => model}
        onOpen={({ model }) => show(model)}
        actions={(row) => [
          ...(canTry && row.availability !== 'not_offered'
            ? [{ label: t('Try'), icon: IconFlask, to: '/playground', search: { model: row.model }, isPrimary: true }]
            : []),
          ...(isManager ? [{ label: t('Add to channels'), icon: IconPlus, onClick: () => setAdded([row]) }] : []),
        ]}
        statuses={availabilityStatuses(isManager)}
        quick={<CatalogFilterChoices control={control} all={all} />}
        customFilters={control}
        searchLabel={t('Search by model')}
        emptyText={t('No models available yet')}
        selection={
          isManager
            ? { of: selection, actions: [{ label: t('Add to channels'), icon: IconPlus, onClick: addSelected }] }
            : undefined
        }
        card={useCatalogCard()}
      />
      <Suspense fallback={null}>
        {opened !== undefined && (
          <ModelDrawer
            opened={opened}
            row={all.find(({ model }) => model === opened)}
            isLoading={list.isLoading}
            onAdd={(row) => setAdded([row])}
            onClose={close}
          />
        )}
        {added && <AddModelsDialog models={added} onChanged={list.refresh} onClosed={() => setAdded(undefined)} />}
      </Suspense>
    </>
  );
}

interface CatalogFilterChoicesProps {
  readonly control: ReturnType<typeof useCatalog>['control'];
  readonly all: readonly CatalogRow[];
}

function CatalogFilterChoices({ control: { filters, change }, all }: CatalogFilterChoicesProps) {
  const { t, label } = useTranslation();
  return (
    <>
      <FilterChoice
        label={t('Provider')}
        options={providersOf(all).map((name) => ({ value: name, label: label(name) }))}
        value={filters.provider}
        onChange={(provider) => change({ provider })}
      />
      <FilterChoice
        label={t('Capability')}
        options={Object.entries(modelCapabilities).map(([value, row]) => ({ value, label: label(row.label) }))}
        value={filters.capability}
        onChange={(capability) => change({ capability })}
      />
    </>
  );
}
