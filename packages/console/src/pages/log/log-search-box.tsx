import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './log-filter-bar.module.css';
import type { LogFilterControl } from './log-filter-state.ts';
import type { LogFilters } from './log-filters.ts';
import { invalidTerms, parseSearch } from './log-search.ts';

interface LogSearchBoxProps {
  readonly control: LogFilterControl;
  readonly isAdmin: boolean;
}

const typingMs = 400;

/** Search text that applies while typing. Enter turns it into chips and clears the field, except for invalid terms. */
export function LogSearchBox({ control: { filters, apply }, isAdmin }: LogSearchBoxProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  /** Filters when typing began; the search text is added to them. */
  const [base, setBase] = useState<LogFilters>();
  const [invalid, setInvalid] = useState('');
  const search = (text: string) => apply({ ...merged(base ?? filters, parseSearch(text, isAdmin)), before: '' });
  const searchLater = useDebouncedCallback(search, typingMs);
  const type = (text: string) => {
    if (base === undefined) setBase(filters);
    setTyped(text);
    setInvalid('');
    searchLater(text);
  };
  const end = () => {
    if (typed.trim() !== '') {
      searchLater.cancel();
      search(typed);
    }
    const left = invalidTerms(typed, isAdmin).join(' ');
    setTyped(left);
    setInvalid(left);
    setBase(undefined);
  };
  const clear = () => {
    searchLater.cancel();
    if (base) apply(base);
    setTyped('');
    setInvalid('');
    setBase(undefined);
  };
  const keys: Readonly<Record<string, () => void>> = { Enter: end, ...(typed !== '' && { Escape: clear }) };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = event.nativeEvent.isComposing ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <TextInput
      type="search"
      size="sm"
      className={styles['search'] ?? ''}
      aria-label={t('Search logs')}
      placeholder={isAdmin ? 'status:429 model:gpt-4o user:ada' : 'status:429 model:gpt-4o token:ci'}
      leftSection={<IconSearch size={16} stroke={1.6} aria-hidden />}
      {...(typed !== '' && {
        rightSection: <CloseButton size="sm" aria-label={t('Clear search')} onClick={clear} />,
      })}
      autoComplete="off"
      spellCheck={false}
      maxLength={500}
      error={invalid !== '' && t('Invalid: {terms}', { terms: invalid })}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={end}
    />
  );
}

/** Filters with partial matching keep it, unless the search text replaces their value. */
function merged(base: LogFilters, parsed: Partial<LogFilters>): LogFilters {
  const kept = base.contains.split(',').filter((name) => name !== '' && !(name in parsed));
  const contains = [...kept, ...(parsed.contains ?? '').split(',').filter(Boolean)].toSorted().join();
  return { ...base, ...parsed, contains };
}
