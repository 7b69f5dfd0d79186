import { logReasons, logType, logTypes } from '@headgate/contract';
import { NativeSelect } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/page/status.ts';
import type { LogFilterControl } from './log-filter-state.ts';
import type { LogFilters } from './log-filters.ts';

interface SelectProps {
  readonly control: LogFilterControl;
}

export function TypeSelect({ control: { filters, apply } }: SelectProps) {
  const { t, label } = useTranslation();
  return (
    <NativeSelect
      size="sm"
      label={t('Type')}
      value={String(filters.type)}
      data={[
        { value: String(logType.all), label: t('All types') },
        ...Object.entries(logTypes).map(([value, row]) => ({ value, label: label(row.label) })),
      ]}
      onChange={(event) =>
        apply({ ...filters, ...{ view: '', reason: '', status: 0 }, type: Number(event.currentTarget.value) })
      }
    />
  );
}

export function ReasonSelect({ control: { filters, apply } }: SelectProps) {
  const { t, label } = useTranslation();
  const { extensions } = useStatus();
  if (!extensions) return null;
  return (
    <NativeSelect
      size="sm"
      label={t('Reason')}
      value={filters.reason}
      data={[
        { value: '', label: t('All reasons') },
        ...Object.entries(logReasons).map(([value, row]) => ({ value, label: label(row.label) })),
      ]}
      onChange={(event) => apply({ ...filters, reason: event.currentTarget.value as LogFilters['reason'] })}
    />
  );
}
