import { Input, Text, Textarea } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { findJsonError } from './json-error.ts';
import styles from './json-input.module.css';

interface JsonInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description?: string;
  readonly placeholder?: string;
  /** Shown next to the line marker. */
  readonly error?: string | undefined;
  readonly minRows?: number;
}

/** Monospaced JSON input that marks the line of a syntax error. */
export function JsonInput({ label, value, onChange, description, placeholder, error, minRows = 6 }: JsonInputProps) {
  const { t } = useTranslation();
  const id = useId();
  const mistake = findJsonError(value);
  const lines = value.split('\n').length;
  return (
    <Input.Wrapper
      id={id}
      label={label}
      description={description}
      error={error ?? (mistake && t('Line {line}: {reason}', { ...mistake }))}
    >
      <div className={styles['box']}>
        <Text component="pre" aria-hidden className={styles['lines'] ?? ''}>
          {Array.from({ length: Math.max(lines, minRows) }, (_, index) => (
            <span key={String(index)} data-wrong={mistake?.line === index + 1 || undefined}>
              {index + 1}
            </span>
          ))}
        </Text>
        <Textarea
          id={id}
          autosize
          minRows={minRows}
          maxRows={24}
          spellCheck={false}
          autoComplete="off"
          value={value}
          placeholder={placeholder ?? ''}
          aria-invalid={mistake !== undefined}
          onChange={(event) => onChange(event.currentTarget.value)}
          className={styles['text'] ?? ''}
          classNames={{ input: styles['input'] ?? '' }}
        />
      </div>
    </Input.Wrapper>
  );
}
