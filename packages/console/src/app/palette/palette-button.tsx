import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/translate.ts';
import { openPalette } from './palette.tsx';
import styles from './palette-button.module.css';
import { commandKey } from './shortcuts.ts';

/** Button that opens the command palette and shows its shortcut. */
export function PaletteButton({ onChoose }: { readonly onChoose?: () => void }) {
  const { t } = useTranslation();
  const open = () => {
    onChoose?.();
    openPalette();
  };
  return (
    <UnstyledButton className={styles['button'] ?? ''} aria-keyshortcuts="Control+K Meta+K" onClick={open}>
      <IconSearch size={16} stroke={1.6} aria-hidden />
      <span className={styles['words']}>{t('Go to…')}</span>
      <kbd className={styles['keys']} aria-hidden>
        {commandKey} K
      </kbd>
    </UnstyledButton>
  );
}

/** Icon-only variant for the phone header. */
export function PaletteIcon() {
  const { t } = useTranslation();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      className={styles['icon'] ?? ''}
      aria-label={t('Go to…')}
      onClick={openPalette}
    >
      <IconSearch size={20} stroke={1.6} aria-hidden />
    </ActionIcon>
  );
}
