import { isAdmin } from '@headgate/contract';
import { Modal, TextInput } from '@mantine/core';
import { IconAdjustments, IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { matchEntries } from '../../lib/list/match-entries.ts';
import { findSettings, settingQuery } from '../../lib/page/setting-topics.ts';
import styles from './palette.module.css';
import { useStaticEntries } from './palette-actions.ts';
import { type PaletteEntry, paletteGroups } from './palette-entry.ts';
import { PaletteList } from './palette-list.tsx';
import { useSearchEntries } from './palette-search.ts';

const max = 6;

/** Matching settings topics and options; selecting one opens its topic. */
function useSettingEntries(typed: string, open: (address: string) => () => void): readonly PaletteEntry[] {
  const { label } = useTranslation();
  const user = useUser();
  if (!isAdmin(user)) return [];
  return findSettings(typed, label)
    .slice(0, max)
    .map((match) => ({
      id: `setting-${match.id}`,
      group: 'Settings',
      label: match.label,
      alias: match.alias,
      hint: match.hint,
      icon: IconAdjustments,
      run: open(`/setting?${new URLSearchParams(settingQuery(match))}`),
    }));
}

interface PaletteDialogProps {
  readonly onClose: () => void;
  readonly showShortcuts: () => void;
}

/** Command palette: pages and actions immediately, search results while typing. */
export function PaletteDialog({ onClose, showShortcuts }: PaletteDialogProps) {
  const { t } = useTranslation();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const { entries, isBusy } = useEntries(typed, showShortcuts);
  const chosen = entries[Math.min(at, entries.length - 1)];
  const run = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const moveBy = (step: number) => () => setAt((now) => nextIndex(now, step, entries.length));
  const press = handleKeys({ ArrowDown: moveBy(1), ArrowUp: moveBy(-1), Enter: () => run(chosen) });
  return (
    <Modal.Root opened onClose={onClose} size={560} yOffset="12vh" centered={false} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('Search or run a command')}>
        <TextInput
          size="md"
          variant="unstyled"
          data-autofocus
          role="combobox"
          aria-label={t('Search or run a command')}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={chosen && optionId(listId, chosen)}
          aria-busy={isBusy}
          placeholder={t('Search pages, channels, users, tokens, models…')}
          leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
          className={styles['field'] ?? ''}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <PaletteList
          id={listId}
          entries={entries}
          chosen={chosen}
          isBusy={isBusy}
          optionId={(entry) => optionId(listId, entry)}
          onPoint={(entry) => setAt(entries.indexOf(entry))}
          onRun={run}
        />
        <p className={styles['hint']} aria-hidden>
          <kbd>↑</kbd> <kbd>↓</kbd> {t('select')} · <kbd>↵</kbd> {t('open')} · <kbd>?</kbd> {t('Keyboard shortcuts')}
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Next index among `count` entries, wrapping at both ends. */
const nextIndex = (at: number, step: number, count: number): number =>
  (Math.min(at, count - 1) + step + count) % Math.max(count, 1);

const handleKeys = (steps: Readonly<Record<string, () => void>>) => (event: KeyboardEvent) => {
  // While an input method is composing, the arrow keys belong to it.
  const step = event.nativeEvent.isComposing ? undefined : steps[event.key];
  if (!step) return;
  event.preventDefault();
  step();
};

const optionId = (listId: string, { id }: PaletteEntry): string => `${listId}-${id}`;

function useEntries(typed: string, showShortcuts: () => void) {
  const navigate = useNavigate();
  const open = (href: string) => () => void navigate({ href });
  const known = matchEntries(useStaticEntries({ open, showShortcuts }), typed);
  const { entries: found, isBusy } = useSearchEntries(typed, open);
  const all = [...known, ...found, ...useSettingEntries(typed, open)];
  return { entries: paletteGroups.flatMap((group) => all.filter((entry) => entry.group === group)), isBusy };
}
