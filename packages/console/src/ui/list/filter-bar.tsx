import { Autocomplete, Select } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import type { ListWithViews } from '../../lib/list/saved-views.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import styles from './filter-bar.module.css';
import { SavedViews } from './saved-views.tsx';

interface FilterBarProps {
  /** List whose views can be saved. */
  readonly list: ListWithViews;
  readonly children: ReactNode;
}

/** Filters of a list in a row. On a phone, the saved views are beside them. */
export function FilterBar({ list, children }: FilterBarProps) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  return (
    <fieldset aria-label={t('Filters')} className={styles['filters']}>
      {children}
      {isPhone && (
        <div className={styles['end']}>
          <SavedViews list={list} size="xs" />
        </div>
      )}
    </fieldset>
  );
}

interface FieldProps {
  readonly label: string;
  readonly isSet: boolean;
  readonly children: ReactNode;
}

/** Shows the label of a filter that has a value; without one, the placeholder is the label. */
function Field({ label, isSet, children }: FieldProps) {
  return (
    <div className={styles['field']} data-label={label} data-set={isSet || undefined}>
      {children}
    </div>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

interface FilterChoiceProps extends FilterProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** A select. An unknown value from the URL is shown unchanged. */
export function FilterChoice({ label, value, options, onChange }: FilterChoiceProps) {
  const { t } = useTranslation();
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return (
    <Field label={label} isSet={value !== undefined}>
      <Select
        size="xs"
        searchable
        clearable
        aria-label={label}
        placeholder={label}
        data={isKnown ? options : [...options, { value, label: value }]}
        value={value ?? null}
        onChange={(chosen) => onChange(chosen ?? undefined)}
        nothingFoundMessage={t('No results')}
        clearButtonProps={{ 'aria-label': t('Clear {name}', { name: label }), tabIndex: 0 }}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        maxDropdownHeight={320}
      />
    </Field>
  );
}

interface FilterTextProps extends FilterProps {
  readonly suggestions: readonly string[];
}

/** Text with suggestions; applied on selection, Enter or blur. */
export function FilterText({ label, value = '', suggestions, onChange }: FilterTextProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (next: string) => {
    if (next.trim() !== value) onChange(next.trim() || undefined);
  };
  return (
    <Field label={label} isSet={value !== ''}>
      <Autocomplete
        size="xs"
        clearable
        aria-label={label}
        placeholder={label}
        data={[...suggestions]}
        limit={50}
        value={text}
        onChange={(next) => {
          setText(next);
          if (next === '') commit('');
        }}
        onOptionSubmit={commit}
        onBlur={() => commit(text)}
        onKeyDown={(event) => event.key === 'Enter' && commit(text)}
        clearButtonProps={{ 'aria-label': t('Clear {name}', { name: label }), tabIndex: 0 }}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        maxDropdownHeight={320}
      />
    </Field>
  );
}
