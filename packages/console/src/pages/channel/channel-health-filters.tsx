import { Button } from '@mantine/core';
import { IconAlertTriangle, IconZzz } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import type { ListFilters } from '../../lib/list/list-filters.ts';
import type { ChannelFilterName } from './channel-queries.ts';

interface HealthFilterProps {
  readonly control: ListFilters<ChannelFilterName>;
  /** Undefined if unknown or none. */
  readonly count: number | undefined;
}

/** Toggles the filter for failing channels. */
export function FailingFilter({ control: { filters, change }, count = 0 }: HealthFilterProps) {
  const { t } = useTranslation();
  const isSet = filters.failing === '1';
  return (
    <Button
      size="sm"
      px="sm"
      variant={isSet ? 'filled' : 'default'}
      color="red"
      aria-pressed={isSet}
      leftSection={<IconAlertTriangle size={16} stroke={1.6} aria-hidden />}
      onClick={() => change({ failing: isSet ? undefined : '1' })}
    >
      {count > 0 ? t('Failing {count}', { count }) : t('Failing')}
    </Button>
  );
}

/** Toggles the filter for channels that are cooling down. Shown if there are any, or if it is active. */
export function CooldownFilter({ control: { filters, change }, count = 0 }: HealthFilterProps) {
  const { t } = useTranslation();
  const isSet = filters.resting === '1';
  if (count === 0 && !isSet) return null;
  return (
    <Button
      size="sm"
      px="sm"
      variant={isSet ? 'filled' : 'default'}
      color="yellow.9"
      aria-pressed={isSet}
      leftSection={<IconZzz size={16} stroke={1.6} aria-hidden />}
      onClick={() => change({ resting: isSet ? undefined : '1' })}
    >
      {count > 0 ? t('Cooling down {count}', { count }) : t('Cooling down')}
    </Button>
  );
}
