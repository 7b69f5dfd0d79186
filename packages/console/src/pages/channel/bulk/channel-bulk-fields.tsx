import { type Channel, copyableSettings } from '@headgate/contract';
import {
  Autocomplete,
  Chip,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  Textarea,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { JsonInput } from '../../../ui/form/json-input.tsx';
import { channelSuggestionsQuery, channelTagsQuery, groupsQuery, knownModelsQuery } from '../channel-queries.ts';
import type { BulkDraft, BulkKind, ListOperation } from './channel-bulk-change.ts';
import { useFieldLabels } from './channel-bulk-labels.ts';

interface FieldsProps {
  readonly draft: BulkDraft;
  readonly onChange: (change: Partial<BulkDraft>) => void;
}

const max = 1_000_000;

/** Input fields for one kind of change. */
export function BulkFields({ kind, ...props }: FieldsProps & { readonly kind: BulkKind }) {
  switch (kind) {
    case 'priority':
    case 'weight':
      return <NumberField {...props} kind={kind} />;
    case 'models':
    case 'group':
      return <ListFields {...props} kind={kind} />;
    case 'model_mapping':
    case 'system_prompt':
    case 'tag':
      return <TextField {...props} kind={kind} />;
    case 'copy':
      return <CopyFields {...props} />;
    default:
      return null;
  }
}

function NumberField({ kind, draft, onChange }: FieldsProps & { readonly kind: 'priority' | 'weight' }) {
  const { t } = useTranslation();
  const isPriority = kind === 'priority';
  return (
    <NumberInput
      data-autofocus
      label={isPriority ? t('Priority') : t('Weight')}
      description={
        isPriority
          ? t('Channels with higher priority are used first.')
          : t('Among channels of equal priority, a larger weight gets more requests.')
      }
      allowDecimal={false}
      min={isPriority ? -max : 0}
      max={max}
      value={draft.number ?? ''}
      onChange={(value) => onChange({ number: typeof value === 'number' ? value : undefined })}
    />
  );
}

const separators = [',', '，', '\n', '\r'];

function ListFields({ kind, draft, onChange }: FieldsProps & { readonly kind: 'models' | 'group' }) {
  const { t } = useTranslation();
  const isModels = kind === 'models';
  const models = useQuery({ ...knownModelsQuery, enabled: isModels });
  const groups = useQuery({ ...groupsQuery, enabled: !isModels });
  const [search, setSearch] = useState('');
  const known = (isModels ? models.data : groups.data) ?? [];
  return (
    <Stack gap="sm">
      <SegmentedControl
        aria-label={t('Action')}
        value={draft.how}
        onChange={(how) => onChange({ how: how as ListOperation })}
        data={[
          { value: 'add', label: t('Add') },
          { value: 'remove', label: t('Remove') },
          { value: 'replace', label: t('Replace all') },
        ]}
      />
      <TagsInput
        data-autofocus
        label={isModels ? t('Models') : t('Groups')}
        description={t('Select, type or paste names, separated by commas or line breaks.')}
        // Suggestions only while typing: an open list would hide the preview.
        data={search === '' ? [] : known}
        onSearchChange={setSearch}
        value={[...draft.names]}
        onChange={(names) => onChange({ names })}
        splitChars={separators}
        acceptValueOnBlur
        limit={100}
        maxDropdownHeight={240}
      />
    </Stack>
  );
}

function TextField({
  kind,
  draft,
  onChange,
}: FieldsProps & { readonly kind: 'model_mapping' | 'system_prompt' | 'tag' }) {
  const { t } = useTranslation();
  const { data: tags = [] } = useQuery({ ...channelTagsQuery, enabled: kind === 'tag' });
  if (kind === 'tag') {
    return (
      <Autocomplete
        data-autofocus
        label={t('Tag')}
        description={t('Leave empty to remove the tag.')}
        data={tags.map(({ tag }) => tag)}
        value={draft.text}
        onChange={(text) => onChange({ text })}
      />
    );
  }
  if (kind === 'model_mapping') {
    return (
      <JsonInput
        label={t('Model mapping')}
        description={t('Replaces the mapping of each channel. Leave empty to remove it.')}
        placeholder={'{\n  "gpt-4": "gpt-4o"\n}'}
        minRows={4}
        value={draft.text}
        onChange={(text) => onChange({ text })}
        error={undefined}
      />
    );
  }
  return (
    <Textarea
      data-autofocus
      label={t('System prompt')}
      description={t('Replaces the system prompt of every request. Leave empty to keep the original.')}
      autosize
      minRows={3}
      maxRows={10}
      value={draft.text}
      onChange={(event) => onChange({ text: event.currentTarget.value })}
    />
  );
}

const typingMs = 250;
const nameOf = ({ id, name }: Channel) => `${name} (#${id})`;

function CopyFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const labels = useFieldLabels();
  const [search, setSearch] = useState('');
  const [keyword] = useDebouncedValue(search.replace(/ \(#\d+\)$/, ''), typingMs);
  const { data: channels = [] } = useQuery(channelSuggestionsQuery(keyword));
  return (
    <Stack gap="sm">
      <Select
        data-autofocus
        searchable
        label={t('Copy from')}
        placeholder={t('Search by ID, name and key')}
        data={channels.map((channel) => ({ value: String(channel.id), label: nameOf(channel) }))}
        filter={({ options }) => options}
        nothingFoundMessage={t('No results')}
        value={draft.from === undefined ? null : String(draft.from)}
        onChange={(value) => onChange({ from: value === null ? undefined : Number(value) })}
        onSearchChange={setSearch}
      />
      <Chip.Group
        multiple
        value={[...draft.settings]}
        onChange={(settings) => onChange({ settings: copyableSettings.filter((name) => settings.includes(name)) })}
      >
        <Text size="sm" fw={500}>
          {t('Settings')}
        </Text>
        <Group gap={6}>
          {copyableSettings.map((name) => (
            <Chip key={name} value={name} size="xs">
              {labels.field(name)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Stack>
  );
}
