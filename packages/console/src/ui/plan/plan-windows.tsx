import type { OwnPlan, PlanWindow, WindowPeriod } from '@headgate/contract';
import { Progress, Stack, Text } from '@mantine/core';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { Time } from '../time.tsx';
import styles from './plan-windows.module.css';

const labels = {
  hours: '{amount} per {hours} hours',
  day: '{amount} per day',
  week: '{amount} per week',
  month: '{amount} per month',
  all: '{amount} in total',
} as const satisfies Record<WindowPeriod, TextKey>;

function useWindowLabel() {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return ({ period, hours, amount }: PlanWindow) => t(labels[period], { amount: format(amount), hours });
}

/** Limits of a plan, one per line. */
export function WindowList({ windows }: { readonly windows: readonly PlanWindow[] }) {
  const label = useWindowLabel();
  return (
    <Stack gap={0}>
      {windows.map((window) => (
        <Text key={window.period} span inherit>
          {label(window)}
        </Text>
      ))}
    </Stack>
  );
}

const full = 100;
const warnPercent = 80;

function colorAt(percent: number): string {
  if (percent >= full) return 'red';
  return percent >= warnPercent ? 'yellow' : 'blue';
}

/** Usage of a plan's windows in one line each; the tooltip says when they reset. */
export function UsedWindowsShort({ windows }: { readonly windows: OwnPlan['windows'] }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const label = useWindowLabel();
  return windows.map((window) => {
    const percent = Math.min(full, (window.used / window.amount) * full);
    const text = t('{used} used of {window}', { used: format(window.used), window: label(window) });
    const reset = window.reset_time > 0 ? `${text} · ${t('Resets')} ${formatTime(window.reset_time)}` : text;
    return (
      <div key={window.period} className={styles['line']} title={reset}>
        <Progress value={percent} color={colorAt(percent)} size="sm" w={48} aria-hidden />
        <span>{text}</span>
      </div>
    );
  });
}

/** Usage of a plan's windows, and when they reset. */
export function UsedWindows({ windows }: { readonly windows: OwnPlan['windows'] }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const label = useWindowLabel();
  return (
    <Stack gap="xs">
      {windows.map((window) => {
        const percent = Math.min(full, (window.used / window.amount) * full);
        const text = t('{used} used of {window}', { used: format(window.used), window: label(window) });
        return (
          <div key={window.period}>
            <Text size="sm">
              {text}
              {window.reset_time > 0 && (
                <>
                  {' · '}
                  {t('Resets')} <Time seconds={window.reset_time} />
                </>
              )}
            </Text>
            <Progress value={percent} color={colorAt(percent)} size="sm" aria-label={text} />
          </div>
        );
      })}
    </Stack>
  );
}
