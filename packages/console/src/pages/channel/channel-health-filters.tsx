import { Button } from '@mantine/core';
import { IconAlertTriangle, IconZzz } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import type { ListFilters } from '../../lib/list/list-filters.ts';
import type { ChannelFilterName } from './channel-queries.ts';

const states = {
  failing: { color: 'red', Icon: IconAlertTriangle, text: 'Failing', counted: 'Failing {count}' },
  cooling_down: { color: 'yellow.9', Icon: IconZzz, text: 'Cooling down', counted: 'Cooling down {count}' },
} as const;

interface HealthFilterProps {
  readonly control: ListFilters<ChannelFilterName>;
  readonly name: keyof typeof states;
  /** Undefined if unknown or none. */
  readonly count: number | undefined;
}

/** Toggles the filter for channels in a state. Cooling down is shown if any channel is, or if the filter is active. */
export function HealthFilter({ control: { filters, change }, name, count = 0 }: HealthFilterProps) {
  const { t } = useTranslation();
  const { color, Icon, text, counted } = states[name];
  const isSet = filters[name] === '1';
  if (name === 'cooling_down' && count === 0 && !isSet) return null;
  return (
    <Button
      size="sm"
      px="sm"
      variant={isSet ? 'filled' : 'default'}
      color={color}
      aria-pressed={isSet}
      leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
      onClick={() => change({ [name]: isSet ? undefined : '1' })}
    >
      {count > 0 ? t(counted, { count }) : t(text)}
    </Button>
  );
}
