import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import styles from './channel.module.css';

interface InlineNumberProps {
  readonly label: string;
  readonly value: number;
  /** Lower bound; smaller input is clamped. */
  readonly min: number;
  readonly max: number;
  readonly isReadOnly?: boolean;
  /** Called only if the number changed; a rejection reverts the input. */
  readonly onSave: (value: number) => Promise<unknown>;
}

/** Integer edited in place; saved on Enter or blur. */
export function InlineNumber({ label, value, min, max, isReadOnly = false, onSave }: InlineNumberProps) {
  const [shown, setShown] = useState(String(value));
  useEffect(() => setShown(String(value)), [value]);
  const finish = () => {
    const typed = /^-?\d+$/.test(shown.trim()) ? Number(shown) : value;
    const next = Math.min(Math.max(typed, min), max);
    setShown(String(next));
    if (next !== value) onSave(next).catch(() => setShown(String(value)));
  };
  const listen = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') event.currentTarget.blur();
    if (event.key === 'Escape') setShown(String(value));
  };
  return (
    <TextInput
      size="xs"
      inputMode="numeric"
      autoComplete="off"
      aria-label={label}
      title={label}
      disabled={isReadOnly}
      value={shown}
      onChange={(event) => setShown(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={listen}
      className={styles['number'] ?? ''}
    />
  );
}
