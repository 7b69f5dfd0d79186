import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useWords } from '../../i18n/translate.ts';
import type { ListFilters } from '../../lib/list-filters.ts';
import type { ChannelFilterName } from './channel-queries.ts';

interface FailingFilterProps {
  readonly control: ListFilters<ChannelFilterName>;
  /** Undefined while nobody knows, and where none fails. */
  readonly count: number | undefined;
}

/** Shows only what is failing, or everything again. */
export function FailingFilter({ control: { filters, change }, count = 0 }: FailingFilterProps) {
  const { t } = useWords();
  const isSet = filters.failing === '1';
  return (
    <Button
      size="sm"
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
