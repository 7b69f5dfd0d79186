import { Modal } from '@mantine/core';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useStatus } from '../../lib/page/status.ts';
import { menuPages } from '../menu-sections.ts';
import styles from './palette.module.css';
import { commandKey } from './shortcuts.ts';

const shortcuts: readonly { readonly keys: readonly string[]; readonly label: TextKey }[] = [
  { keys: [commandKey, 'K'], label: 'Search or run a command' },
  { keys: ['/'], label: 'Search this page' },
  { keys: ['j'], label: 'Next row' },
  { keys: ['k'], label: 'Previous row' },
  { keys: ['Enter'], label: 'Open the row' },
  { keys: ['?'], label: 'Keyboard shortcuts' },
  { keys: ['Esc'], label: 'Close a dialog' },
];

/** List of keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const places = menuPages(useUser(), useStatus());
  return (
    <Modal opened onClose={onClose} title={t('Keyboard shortcuts')} size="lg">
      <div className={styles['shortcutColumns']}>
        <dl className={styles['shortcuts']}>
          {shortcuts.map(({ keys, label }) => (
            <Shortcut key={label} keys={keys} label={t(label)} />
          ))}
        </dl>
        <dl className={styles['shortcuts']}>
          {places.map(
            ({ path, menu: { key, label } }) => key && <Shortcut key={path} keys={['g', key]} label={t(label)} />,
          )}
        </dl>
      </div>
    </Modal>
  );
}

function Shortcut({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{label}</dd>
    </>
  );
}
