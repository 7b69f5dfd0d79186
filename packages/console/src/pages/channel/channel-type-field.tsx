import { channelType, channelTypeOptions } from '@headgate/contract';
import { type ComboboxItem, Group, type OptionsFilter, Select } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useOpenList } from '../../ui/form/open-list.ts';
import { ProviderTile } from '../../ui/provider-mark/provider-tile.tsx';

interface ChannelTypeFieldProps {
  readonly value: number;
  readonly onChange: (type: number) => void;
}

/** Types match by translated or English name. */
const filter: OptionsFilter = ({ options, search }) => {
  const wanted = search.trim().toLowerCase();
  const namesOf = ({ value, label }: ComboboxItem) => `${label}\n${channelType(Number(value))?.name ?? ''}`;
  return options.filter((option) => 'group' in option || namesOf(option).toLowerCase().includes(wanted));
};

export function ChannelTypeField({ value, onChange }: ChannelTypeFieldProps) {
  const { t, label } = useTranslation();
  const { isOpen, handlers } = useOpenList();
  const offered = isOpen ? channelTypeOptions : channelTypeOptions.filter((option) => option.value === value);
  const known = offered.map((option) => ({ value: String(option.value), label: label(option.text) }));
  const type = channelType(value);
  return (
    <Select
      label={t('Type')}
      searchable
      selectFirstOptionOnChange
      allowDeselect={false}
      data={type ? known : [...known, { value: String(value), label: String(value) }]}
      value={String(value)}
      {...handlers}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
      filter={filter}
      leftSection={<ProviderTile type={value} />}
      maxDropdownHeight={320}
      renderOption={({ option }) => (
        <Group gap={8} wrap="nowrap">
          <ProviderTile type={Number(option.value)} />
          {option.label}
        </Group>
      )}
    />
  );
}
