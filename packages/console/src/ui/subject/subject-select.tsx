import { MultiSelect, type OptionsFilter, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './subject.module.css';
import type { SubjectSource } from './subject-queries.ts';
import { type Choice, useSubjectNames, useSubjectSuggestions } from './use-subjects.ts';

interface FieldProps {
  /** Kind of the options, which have ids. */
  readonly source: Extract<SubjectSource, 'user' | 'token' | 'channel' | 'own-token'>;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly error?: ReactNode;
}

interface SubjectSelectProps extends FieldProps {
  /** Selected id, or empty. */
  readonly value: number | '';
  readonly onChange: (id: number | '') => void;
}

/** The options are already filtered by the server. */
const everything: OptionsFilter = ({ options }) => options;

/** Select for a user, token or channel, by name. */
export function SubjectSelect({ source, value, onChange, ...field }: SubjectSelectProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const chosen = useSubjectNames(source, value === '' ? [] : [value]);
  // The field shows the selected name, which is not a search term.
  const isUntouched = typed === chosen[0]?.label;
  const { choices, nothingWords } = useSubjectSuggestions(source, isUntouched ? '' : typed, isOpen);
  return (
    <Select
      {...field}
      searchable
      clearable
      openOnFocus={false}
      clearButtonProps={{ 'aria-label': t('Clear') }}
      data={uniqueOptions(chosen, choices, isUntouched || !isOpen)}
      filter={everything}
      nothingFoundMessage={nothingWords}
      renderOption={({ option }) => <Option choice={option as Choice} />}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      value={value === '' ? null : String(value)}
      onChange={(id) => onChange(id === null ? '' : Number(id))}
    />
  );
}

interface SubjectMultiSelectProps extends FieldProps {
  readonly value: readonly number[];
  readonly max?: number | undefined;
  readonly onChange: (ids: number[]) => void;
}

/** Multi-select variant. */
export function SubjectMultiSelect({ source, value, max, onChange, ...field }: SubjectMultiSelectProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { choices, nothingWords } = useSubjectSuggestions(source, typed, isOpen);
  return (
    <MultiSelect
      {...field}
      searchable
      clearable
      hidePickedOptions
      openOnFocus={false}
      clearButtonProps={{ 'aria-label': t('Clear') }}
      data={uniqueOptions(useSubjectNames(source, value), choices, true)}
      filter={everything}
      nothingFoundMessage={nothingWords}
      renderOption={({ option }) => <Option choice={option as Choice} />}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      {...(max !== undefined && { maxValues: max })}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
    />
  );
}

/** Deduplicated options: the selected ones if requested, then the results. */
function uniqueOptions(chosen: readonly Choice[], found: readonly Choice[], isWithChosen: boolean): Choice[] {
  const first = isWithChosen ? chosen : [];
  return [...first, ...found.filter(({ value }) => !first.some((choice) => choice.value === value))];
}

function Option({ choice: { label, detail } }: { readonly choice: Choice }) {
  return (
    <span className={styles['option']}>
      {label}
      {detail !== '' && <span className={styles['detail']}>{detail}</span>}
    </span>
  );
}
