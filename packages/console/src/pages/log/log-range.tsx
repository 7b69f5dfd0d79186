import { Button, Popover, Skeleton } from '@mantine/core';
import { IconCalendar, IconChevronDown } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { type Translation, useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useLogDraft } from './log-draft.tsx';
import type { LogFilterControl } from './log-filter-state.ts';
import { presetOf, presets } from './range-presets.ts';

// Calendars are large, so they are loaded when opened.
const panel = () => import('./log-range-panel.tsx');
const LogRangePanel = lazy(async () => ({ default: (await panel()).LogRangePanel }));

interface LogRangeProps {
  readonly control: LogFilterControl;
}

/** Time range of the list: presets and a calendar. */
export function LogRange({ control }: LogRangeProps) {
  const { t, label } = useTranslation();
  const { query } = useLogDraft();
  const [isOpen, setOpen] = useState(false);
  const choose = (range: { readonly start: number; readonly end: number | undefined }) => {
    setOpen(false);
    query(range);
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" shadow="md" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          px="sm"
          leftSection={<IconCalendar size={16} stroke={1.6} aria-hidden />}
          rightSection={<IconChevronDown size={14} stroke={1.6} aria-hidden />}
          aria-label={`${t('Time range')}: ${rangeText(control.filters, { t, label })}`}
          onPointerEnter={() => void panel()}
          onFocus={() => void panel()}
          onClick={() => setOpen(!isOpen)}
        >
          {rangeText(control.filters, { t, label })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" maw="calc(100vw - 16px)" aria-label={t('Time range')}>
        <Suspense fallback={<Skeleton w={360} h={320} />}>
          <LogRangePanel filters={control.filters} onChoose={choose} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}

type Range = Pick<LogFilterControl['filters'], 'start' | 'end'>;

/** The preset with the same duration as the range; otherwise the bounds of the range. */
function rangeText({ start, end }: Range, { t }: Pick<Translation, 't' | 'label'>): string {
  if (start === 0 && end === undefined) return t('All time');
  const preset = presetOf({ start, end }, presets);
  if (preset) return t(preset.label);
  const short = (seconds: number) => formatTime(seconds).slice(0, 16);
  if (end === undefined) return t('Since {time}', { time: short(start) });
  return start === 0 ? t('Until {time}', { time: short(end) }) : `${short(start)} – ${short(end)}`;
}
