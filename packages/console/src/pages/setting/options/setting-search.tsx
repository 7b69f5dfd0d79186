import { Select } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from '../../../i18n/translate.ts';
import { query } from '../../../lib/page/address.ts';
import { findSettings, settingQuery } from '../../../lib/page/setting-topics.ts';
import styles from '../setting.module.css';

const max = 12;

/** Finds topics and options by label or API name; a result opens its topic. */
export function SettingSearch() {
  const { t, label } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const matches = findSettings(typed, label).slice(0, max);
  const hintOf = (id: string) => matches.find((match) => match.id === id)?.hint;
  const open = (id: string | null) => {
    const match = matches.find((each) => each.id === id);
    if (!match) return;
    setTyped('');
    void navigate({ to: '/setting', search: query(settingQuery(match)) });
  };
  return (
    <Select
      type="search"
      searchable
      className={styles['search'] ?? ''}
      aria-label={t('Search settings')}
      placeholder={t('Search settings')}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      rightSection={<span />}
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={open}
      data={matches.map(({ id, label: text }) => ({ value: id, label: text }))}
      // The matches are already filtered, including by API name.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {option.label}
          <span className={styles['hint']}>{hintOf(option.value)}</span>
        </span>
      )}
      {...(typed.trim() !== '' && { nothingFoundMessage: t('Nothing found') })}
      openOnFocus={false}
      maxDropdownHeight={360}
    />
  );
}
