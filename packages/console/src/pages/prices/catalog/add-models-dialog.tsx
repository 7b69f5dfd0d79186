import { type Channel, channelApi, channelBulkApi, channelType } from '@headgate/contract';
import { Button, MultiSelect, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { call } from '../../../lib/api/call.ts';
import { BulkDialog } from '../../../ui/bulk/bulk-dialog.tsx';
import { typeOf } from './model-catalog-columns.tsx';
import type { CatalogRow } from './model-catalog-rows.ts';

const maxSuggestions = 100;
const typingMs = 250;

const suggestionsQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['model-catalog-channels', keyword],
    queryFn: ({ signal }) =>
      keyword === ''
        ? call(channelApi.list, { query: { size: maxSuggestions } }, { signal })
        : call(channelApi.search, { query: { keyword, size: maxSuggestions } }, { signal }),
    staleTime: 0,
  });

const typeQuery = (type: number) =>
  queryOptions({
    queryKey: ['model-catalog-channels', 'type', type],
    queryFn: ({ signal }) => call(channelApi.list, { query: { type, size: maxSuggestions } }, { signal }),
    enabled: type > 0,
    staleTime: 0,
  });

interface AddModelsDialogProps {
  readonly models: readonly CatalogRow[];
  readonly onChanged: () => void;
  readonly onClosed: () => void;
}

/** Adds models to channels, with a preview and an undo. */
export function AddModelsDialog({ models, onChanged, onClosed }: AddModelsDialogProps) {
  const { t, label } = useTranslation();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const names = models.map(({ model }) => model);
  const [first] = models;
  const type = first && models.every((row) => typeOf(row) === typeOf(first)) ? typeOf(first) : 0;
  const { data: ofType = [] } = useQuery(typeQuery(type));
  const change = { kind: 'models', how: 'add', models: names.join(',') } as const;
  return (
    <BulkDialog
      title={
        names.length === 1
          ? t('Add {model} to channels', { model: names[0] ?? '' })
          : t('Add {count} models to channels', { count: names.length })
      }
      changeKey={chosen.length === 0 ? undefined : JSON.stringify([chosen, change])}
      run={(mode) => call(channelBulkApi.run, { body: { chosen: { ids: chosen.map(Number) }, change, ...mode } })}
      undo={(undo) => call(channelBulkApi.undo, { body: { undo } })}
      labels={{ field: (name) => (name === 'models' ? t('Models') : name), value: (_, value) => value }}
      confirm={(count) => (count === 1 ? t('Change 1 channel') : t('Change {count} channels', { count }))}
      onChanged={onChanged}
      onClosed={onClosed}
    >
      <Stack gap="xs" align="flex-start">
        <ChannelsField chosen={chosen} known={ofType} onChange={setChosen} />
        {ofType.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setChosen([...new Set([...chosen, ...ofType.map(({ id }) => String(id))])])}
          >
            {t('Select all {count} channels: {name}', {
              count: ofType.length,
              name: label(channelType(type)?.name ?? ''),
            })}
          </Button>
        )}
      </Stack>
    </BulkDialog>
  );
}

interface ChannelsFieldProps {
  readonly chosen: readonly string[];
  readonly known: readonly Channel[];
  readonly onChange: (chosen: readonly string[]) => void;
}

function ChannelsField({ chosen, known, onChange }: ChannelsFieldProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [keyword] = useDebouncedValue(search.trim(), typingMs);
  const { data: found = [] } = useQuery(suggestionsQuery(keyword));
  // Chosen channels keep their names when the suggestions change.
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const listed = new Map([...known, ...found].map(({ id, name }) => [String(id), name || `#${id}`]));
  const change = (next: readonly string[]) => {
    setNames(new Map([...names, ...listed]));
    onChange(next);
  };
  const shown = new Set([...chosen, ...found.map(({ id }) => String(id))]);
  return (
    <MultiSelect
      data-autofocus
      w="100%"
      searchable
      hidePickedOptions
      label={t('Channels')}
      placeholder={chosen.length === 0 ? t('Search by ID, name and key') : ''}
      data={[...shown].map((value) => ({ value, label: listed.get(value) ?? names.get(value) ?? `#${value}` }))}
      filter={({ options }) => options}
      nothingFoundMessage={t('No results')}
      value={[...chosen]}
      onChange={change}
      searchValue={search}
      onSearchChange={setSearch}
      maxDropdownHeight={240}
    />
  );
}
