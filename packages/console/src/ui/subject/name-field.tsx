import type { SubjectKind } from '@headgate/contract';
import { Autocomplete, type OptionsFilter, TagsInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useSubjectSuggestions } from './use-subjects.ts';

interface FieldProps {
  /** Kind of the suggestions. Other text, such as a pattern, is allowed. */
  readonly source: Extract<SubjectKind, 'group' | 'model' | 'tag'>;
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly error?: ReactNode;
}

interface NameFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

/** The options are already filtered by the server. */
const everything: OptionsFilter = ({ options }) => options;

/** A group, model or tag name, with suggestions. */
export function NameField({ source, ...field }: NameFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const { choices } = useSubjectSuggestions(source, field.value, isOpen);
  return (
    <Autocomplete
      {...field}
      autoComplete="off"
      openOnFocus={false}
      spellCheck={false}
      data={choices.map(({ value }) => value)}
      filter={everything}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
    />
  );
}

interface NamesFieldProps extends FieldProps {
  readonly value: readonly string[];
  readonly max?: number | undefined;
  readonly onChange: (names: string[]) => void;
}

/** Several names, in the order of selection. */
export function NamesField({ source, value, max, ...field }: NamesFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const { choices } = useSubjectSuggestions(source, typed, isOpen);
  return (
    <TagsInput
      {...field}
      clearable
      openOnFocus={false}
      clearButtonProps={{ 'aria-label': t('Clear') }}
      data={choices.map((choice) => choice.value).filter((name) => !value.includes(name))}
      filter={everything}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      {...(max !== undefined && { maxTags: max })}
      value={[...value]}
    />
  );
}
