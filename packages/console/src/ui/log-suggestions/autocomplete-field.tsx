import { TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './suggestions.module.css';
import { type SuggestedField, suggestionsQuery } from './suggestions.ts';

interface SuggestFieldProps {
  readonly label: string;
  /** True if the label is for screen readers only. */
  readonly isLabelHidden?: boolean;
  readonly placeholder?: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly isNumber: boolean;
  /** Source of suggestions; absent for none. */
  readonly source: { readonly field: SuggestedField; readonly isAdmin: boolean } | undefined;
  /** Toggle for partial matching; absent if not supported. */
  readonly containment?: { readonly isSet: boolean; readonly toggle: () => void } | undefined;
  readonly onType: (text: string) => void;
  readonly onChoose: (value: string) => void;
}

const typingMs = 200;

/** Text field with suggestions while typing. */
export function AutocompleteField(props: SuggestFieldProps) {
  const { label, isLabelHidden = false, placeholder, value, error, isNumber, containment, onType, ...picking } = props;
  const { t } = useTranslation();
  const id = useId();
  const { suggestions, active, isOpen, open, close, choose, onKeyDown } = useSuggestions(value, picking);
  const optionId = (index: number) => `${id}-${index}`;
  return (
    <div className={styles['suggest']}>
      <TextInput
        size={isLabelHidden ? 'xs' : 'sm'}
        {...(isLabelHidden ? { 'aria-label': label } : { label, labelProps: { id: `${id}-label` } })}
        {...(placeholder !== undefined && { placeholder })}
        value={value}
        error={error}
        autoComplete="off"
        {...(isNumber && { inputMode: 'numeric' })}
        {...(picking.source && {
          role: 'combobox',
          'aria-expanded': isOpen,
          'aria-autocomplete': 'list',
          ...(isOpen && { 'aria-controls': id }),
          ...(active !== undefined && { 'aria-activedescendant': optionId(active) }),
        })}
        onChange={(event) => {
          onType(event.currentTarget.value);
          open();
        }}
        onClick={open}
        onBlur={close}
        onKeyDown={onKeyDown}
        {...(containment && {
          rightSectionWidth: 'auto',
          rightSection: (
            <UnstyledButton
              className={styles['containment'] ?? ''}
              aria-describedby={`${id}-label`}
              title={containment.isSet ? t('Partial match') : t('Exact match')}
              onClick={containment.toggle}
            >
              {containment.isSet ? t('contains') : t('is')}
            </UnstyledButton>
          ),
        })}
      />
      {isOpen && <Suggestions id={id} suggestions={suggestions} active={active} choose={choose} optionId={optionId} />}
    </div>
  );
}

interface SuggestionsProps extends Pick<ReturnType<typeof useSuggestions>, 'suggestions' | 'active' | 'choose'> {
  readonly id: string;
  readonly optionId: (index: number) => string;
}

function Suggestions({ id, suggestions, active, choose, optionId }: SuggestionsProps) {
  const { t } = useTranslation();
  return (
    <div id={id} role="listbox" aria-label={t('Suggestions')} className={styles['suggestions']}>
      {suggestions.map(({ value: suggested, name }, index) => (
        <div
          key={suggested}
          id={optionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={styles['suggestion']}
          // Handled before the field loses the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            choose(suggested);
          }}
        >
          {name || suggested}
          {name && <span className={styles['id']}>#{suggested}</span>}
        </div>
      ))}
    </div>
  );
}

/** Suggestions and the highlighted one. */
function useSuggestions(value: string, { source, onChoose }: Pick<SuggestFieldProps, 'source' | 'onChoose'>) {
  const [isWanted, setWanted] = useState(false);
  const [active, setActive] = useState<number>();
  const [keyword] = useDebouncedValue(value.trim(), typingMs);
  const { data: suggestions = [] } = useQuery({
    ...suggestionsQuery(source?.field ?? 'group', keyword, source?.isAdmin ?? false),
    enabled: isWanted && source !== undefined,
  });
  const isOpen = isWanted && suggestions.length > 0;
  const close = () => {
    setWanted(false);
    setActive(undefined);
  };
  const choose = (chosen: string) => {
    close();
    onChoose(chosen);
  };
  const move = (step: number) => {
    setWanted(true);
    const start = step > 0 ? -1 : suggestions.length;
    setActive(isOpen ? ((active ?? start) + step + suggestions.length) % suggestions.length : undefined);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen && { Escape: close }),
    ...(isOpen && active !== undefined && { Enter: () => choose(suggestions[active]?.value ?? value) }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = source && keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return {
    suggestions,
    active: isOpen ? active : undefined,
    isOpen,
    open: () => setWanted(true),
    close,
    choose,
    onKeyDown,
  };
}
