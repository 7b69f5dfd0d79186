import { Button, Group, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';

interface ExpiryInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: ReactNode;
  /** Name of the form field. */
  readonly 'data-path'?: string;
}

const day = 24 * 3600;

/** A month counts as 30 days. */
const spans: readonly { readonly words: TextKey; readonly seconds: number }[] = [
  { words: '1 month', seconds: 30 * day },
  { words: '1 day', seconds: day },
  { words: '1 hour', seconds: 3600 },
  { words: '1 minute', seconds: 60 },
];

/** Expiry as text, with preset buttons. */
export function ExpiryInput({ onChange, ...field }: ExpiryInputProps) {
  const { t } = useTranslation();
  const fromNow = (seconds: number) => formatTime(Math.floor(Date.now() / 1000) + seconds);
  return (
    <Stack gap={8}>
      <TextInput
        label={t('Expiry')}
        description={t('Local time, YYYY-MM-DD HH:mm:ss. Leave empty for no expiry.')}
        placeholder={t('Never')}
        {...field}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap={6}>
        <Button size="compact-sm" variant="default" onClick={() => onChange('')}>
          {t('Never')}
        </Button>
        {spans.map(({ words, seconds }) => (
          <Button key={words} size="compact-sm" variant="default" onClick={() => onChange(fromNow(seconds))}>
            {t(words)}
          </Button>
        ))}
      </Group>
    </Stack>
  );
}
