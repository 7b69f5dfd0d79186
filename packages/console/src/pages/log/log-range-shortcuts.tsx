import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useLogDraft } from './log-draft.tsx';
import type { LogFilterControl } from './log-filter-state.ts';
import { lastSeconds, presetOf, shortcuts } from './range-presets.ts';

interface LogRangeShortcutsProps {
  readonly control: LogFilterControl;
}

/** Common ranges, one click each. */
export function LogRangeShortcuts({ control: { filters } }: LogRangeShortcutsProps) {
  const { t } = useTranslation();
  const { query } = useLogDraft();
  const current = presetOf(filters, shortcuts);
  return (
    <Group gap={2} aria-label={t('Time range')} role="group">
      {shortcuts.map((shortcut) => (
        <Button
          key={shortcut.label}
          size="compact-xs"
          color={shortcut === current ? 'indigo' : 'gray'}
          variant={shortcut === current ? 'light' : 'subtle'}
          aria-pressed={shortcut === current}
          onClick={() => query(lastSeconds(shortcut.seconds))}
        >
          {t(shortcut.label)}
        </Button>
      ))}
    </Group>
  );
}
