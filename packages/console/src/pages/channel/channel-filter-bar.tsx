import { channelTypeOptions } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import type { ListFilters } from '../../lib/list/list-filters.ts';
import { FilterBar, FilterChoice, FilterText } from '../../ui/list/filter-bar.tsx';
import {
  type ChannelFilterName,
  channelList,
  channelTagsQuery,
  groupsQuery,
  knownModelsQuery,
} from './channel-queries.ts';

interface ChannelFilterBarProps {
  readonly control: ListFilters<ChannelFilterName>;
}

/** Filters channels by type, group, model and tag. */
export function ChannelFilterBar({ control }: ChannelFilterBarProps) {
  const { t, label } = useTranslation();
  const { filters, change } = control;
  const { data: groups = [] } = useQuery(groupsQuery);
  const { data: tags = [] } = useQuery(channelTagsQuery);
  const { data: models = [] } = useQuery(knownModelsQuery);
  return (
    <FilterBar list={channelList}>
      <FilterChoice
        label={t('Type')}
        options={channelTypeOptions.map(({ value, text }) => ({ value: String(value), label: label(text) }))}
        value={filters.type}
        onChange={(type) => change({ type })}
      />
      <FilterChoice
        label={t('Group')}
        options={groups.map((group) => ({ value: group, label: group }))}
        value={filters.group}
        onChange={(group) => change({ group })}
      />
      <FilterText
        label={t('Model')}
        suggestions={models}
        value={filters.model}
        onChange={(model) => change({ model })}
      />
      <FilterChoice
        label={t('Tag')}
        options={tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` }))}
        value={filters.tag}
        onChange={(tag) => change({ tag })}
      />
    </FilterBar>
  );
}
