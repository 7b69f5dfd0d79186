import { Button, NativeSelect, Pill, Popover } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/page/status.ts';
import { AutocompleteField } from '../log-suggestions/autocomplete-field.tsx';
import styles from './usage.module.css';
import type { ControlsProps } from './usage-controls.tsx';
import { filterLabels } from './usage-labels.ts';
import { type FilterName, filterNames } from './usage-state.ts';

const ownFilters: readonly FilterName[] = ['model_name', 'token_name', 'group', 'tag'];

const namesFor = (isAdmin: boolean): readonly FilterName[] => (isAdmin ? filterNames : ownFilters);

/** Active filters as removable chips. */
export function UsageChips({ state: { filters }, isAdmin, change }: ControlsProps) {
  const { t } = useTranslation();
  const without = (dropped: FilterName) =>
    Object.fromEntries(Object.entries(filters).filter(([each]) => each !== dropped));
  const set = namesFor(isAdmin).filter((name) => filters[name] !== undefined);
  return set.map((name) => (
    <Pill
      key={name}
      size="md"
      withRemoveButton
      onRemove={() => change({ filters: without(name) })}
      removeButtonProps={{
        'aria-label': t('Remove filter {name}', { name: t(filterLabels[name]) }),
        tabIndex: 0,
        'aria-hidden': false,
      }}
    >
      {t(filterLabels[name])}: {filters[name]}
    </Pill>
  ));
}

/** Opens the field that adds a filter. */
export function UsageFilterButton({ change, ...props }: ControlsProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const apply: ControlsProps['change'] = (next) => {
    setOpen(false);
    change(next);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      shadow="md"
      withinPortal
      trapFocus
      returnFocus
      withRoles
    >
      <Popover.Target>
        <Button
          variant="default"
          px="sm"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('Filters')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('Add filter')}>
        <UsageFilterField {...props} change={apply} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Adds a filter. */
export function UsageFilterField({ state, isAdmin, change }: ControlsProps) {
  const { t } = useTranslation();
  const names = namesFor(isAdmin);
  const [name, setName] = useState<FilterName>(isAdmin ? 'username' : 'model_name');
  const [text, setText] = useState('');
  const { filters } = state;
  const { extensions } = useStatus();
  const add = (value: string) => {
    if (value === '') return;
    change({ filters: { ...filters, [name]: value } });
    setText('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add(text.trim());
  };
  return (
    <form className={styles['filters']} onSubmit={submit}>
      <NativeSelect
        size="xs"
        aria-label={t('Filter by')}
        value={name}
        data={names.map((value) => ({ value, label: t(filterLabels[value]) }))}
        onChange={(event) => setName(event.currentTarget.value as FilterName)}
      />
      <AutocompleteField
        label={t('Filter value')}
        isLabelHidden
        placeholder={name === 'tag' ? 'team=search' : t('Exact value')}
        value={text}
        isNumber={name === 'channel'}
        source={extensions && name !== 'tag' ? { field: name, isAdmin } : undefined}
        onType={setText}
        onChoose={add}
      />
      <Button size="xs" type="submit" variant="default">
        {t('Add filter')}
      </Button>
    </form>
  );
}
