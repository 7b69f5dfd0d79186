import '@mantine/dates/styles.css';
import { Button, Flex, Group, TextInput } from '@mantine/core';
import { DatePicker, DatesProvider } from '@mantine/dates';
import 'dayjs/locale/zh-cn';
import { type FormEvent, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime, parseTime } from '../../lib/format/format.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import type { LogFilters } from './log-filters.ts';
import { lastSeconds, presets } from './range-presets.ts';

interface LogRangePanelProps {
  readonly filters: LogFilters;
  readonly onChoose: (range: { readonly start: number; readonly end: number | undefined }) => void;
}

/** Presets, calendar months and exact times. */
export function LogRangePanel({ filters, onChoose }: LogRangePanelProps) {
  const { t, language } = useTranslation();
  const isPhone = useIsPhone();
  const [from, setFrom] = useState(filters.start === 0 ? '' : formatTime(filters.start));
  const [until, setUntil] = useState(filters.end === undefined ? '' : formatTime(filters.end));
  const [start, end] = [timeOf(from), timeOf(until)];
  const isWrong = Number.isNaN(start) || Number.isNaN(end) || (end !== undefined && end < (start ?? 0));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWrong) onChoose({ start: Math.max(start ?? 0, 0), end });
  };
  const days: [string | null, string | null] = [dayOf(start), dayOf(end)];
  return (
    <Group align="flex-start" gap="md" wrap={isPhone ? 'wrap' : 'nowrap'}>
      <Flex gap={4} direction={isPhone ? 'row' : 'column'} wrap="wrap">
        {presets.map(({ label, seconds }) => (
          <Button
            key={label}
            size="compact-sm"
            variant="subtle"
            color="gray"
            justify="flex-start"
            onClick={() => onChoose(lastSeconds(seconds))}
          >
            {t(label)}
          </Button>
        ))}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          justify="flex-start"
          onClick={() => onChoose({ start: 0, end: undefined })}
        >
          {t('All time')}
        </Button>
      </Flex>
      <form onSubmit={submit} noValidate>
        <DatesProvider settings={{ locale: language === 'zh' ? 'zh-cn' : 'en', firstDayOfWeek: 1 }}>
          <DatePicker
            type="range"
            size="xs"
            allowSingleDateInRange
            numberOfColumns={isPhone ? 1 : 2}
            // The last month with logs is on the right.
            {...(!isPhone && { defaultDate: lastMonth() })}
            maxDate={formatTime(Date.now() / 1000).slice(0, 10)}
            value={days}
            onChange={([first, last]) => {
              setFrom(first ? `${first} 00:00:00` : '');
              setUntil(last ? `${last} 23:59:59` : '');
            }}
          />
        </DatesProvider>
        <Group align="flex-end" gap="xs" mt="xs">
          <TextInput
            size="xs"
            label={t('From')}
            placeholder="2026-01-31 08:00"
            value={from}
            error={Number.isNaN(start) && t('Time format error')}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            size="xs"
            label={t('Until')}
            placeholder={t('Now')}
            value={until}
            error={Number.isNaN(end) && t('Time format error')}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
          <Button type="submit" size="xs" disabled={isWrong}>
            {t('Apply range')}
          </Button>
        </Group>
      </form>
    </Group>
  );
}

const lastMonth = (): string => {
  const now = new Date();
  return formatTime(new Date(now.getFullYear(), now.getMonth() - 1, 1).getTime() / 1000).slice(0, 10);
};

/** Undefined for an empty field; NaN if invalid. */
const timeOf = (text: string): number | undefined => (text.trim() === '' ? undefined : (parseTime(text) ?? Number.NaN));

const dayOf = (seconds: number | undefined): string | null =>
  seconds === undefined || Number.isNaN(seconds) ? null : formatTime(seconds).slice(0, 10);
