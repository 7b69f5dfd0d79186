import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { type TextKey, useTranslation } from '../i18n/translate.ts';
import { formatTime, parseTime } from '../lib/format/format.ts';
import { timeFieldText } from '../lib/format/time-field-text.ts';
import styles from './expiry-input.module.css';

interface ExpiryInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
  /** Name of the form field. */
  readonly 'data-path'?: string;
}

const day = 24 * 3600;

/** A month counts as 30 days. */
const spans: readonly { readonly label: TextKey; readonly seconds: number }[] = [
  { label: '1 month', seconds: 30 * day },
  { label: '1 day', seconds: day },
  { label: '1 hour', seconds: 3600 },
  { label: '1 minute', seconds: 60 },
];

/** Expiry as text, with the date picker of the browser and preset buttons. */
export function ExpiryInput({ onChange, ...field }: ExpiryInputProps) {
  const { t } = useTranslation();
  const fromNow = (seconds: number) => formatTime(Math.floor(Date.now() / 1000) + seconds);
  return (
    <Stack gap={8}>
      <TextInput
        label={t('Expiry')}
        description={t('Local time, YYYY-MM-DD HH:mm:ss. Leave empty for no expiry.')}
        placeholder={t('Never')}
        rightSection={<Calendar value={field.value} onChange={onChange} />}
        {...field}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap={6}>
        <Button size="compact-sm" variant="default" onClick={() => onChange('')}>
          {t('Never')}
        </Button>
        {spans.map(({ label, seconds }) => (
          <Button key={label} size="compact-sm" variant="default" onClick={() => onChange(fromNow(seconds))}>
            {t(label)}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}

interface CalendarProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Opens the browser's date and time picker, which has a calendar in the language of the browser. */
function Calendar({ value, onChange }: CalendarProps) {
  const { t } = useTranslation();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('Pick a date')}
        onClick={() => picker.current?.showPicker?.()}
      >
        <IconCalendar size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
      <input
        ref={picker}
        type="datetime-local"
        step={1}
        className={styles['picker']}
        tabIndex={-1}
        aria-hidden
        value={parseTime(value) === undefined ? '' : value.trim().replace(' ', 'T')}
        onChange={(event) => onChange(timeFieldText(event.currentTarget.value))}
      />
    </>
  );
}
