import { NumberInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useState } from 'react';
import styles from './channel.module.css';

interface InlineNumberProps {
  readonly label: string;
  readonly value: number;
  /** Smaller numbers count as this one. */
  readonly min: number;
  readonly max: number;
  /** Called with another number than before, never without one. */
  readonly onSave: (value: number) => void;
}

/** A number that is changed where it stands: kept on Enter or on leaving the field. */
export function InlineNumber({ label, value, min, max, onSave }: InlineNumberProps) {
  const [shown, setShown] = useState<number | string>(value);
  useEffect(() => setShown(value), [value]);
  const finish = () => {
    const typed = shown === '' ? Number.NaN : Number(shown);
    const next = Number.isInteger(typed) ? Math.min(Math.max(typed, min), max) : value;
    setShown(next);
    if (next !== value) onSave(next);
  };
  const listen = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') event.currentTarget.blur();
    if (event.key === 'Escape') setShown(value);
  };
  return (
    <NumberInput
      size="xs"
      aria-label={label}
      title={label}
      value={shown}
      onChange={setShown}
      onBlur={finish}
      onKeyDown={listen}
      allowDecimal={false}
      clampBehavior="none"
      hideControls
      className={styles['number'] ?? ''}
    />
  );
}
