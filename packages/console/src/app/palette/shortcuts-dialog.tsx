import { Modal } from '@mantine/core';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import styles from './palette.module.css';
import { commandKey } from './shortcuts.ts';

const shortcuts: readonly { readonly keys: readonly string[]; readonly words: TextKey }[] = [
  { keys: [commandKey, 'K'], words: 'Search or run a command' },
  { keys: ['/'], words: 'Search this page' },
  { keys: ['?'], words: 'Keyboard shortcuts' },
  { keys: ['Esc'], words: 'Close a dialog' },
];

/** List of keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal opened onClose={onClose} title={t('Keyboard shortcuts')} size="sm">
      <dl className={styles['shortcuts']}>
        {shortcuts.map(({ keys, words }) => (
          <Shortcut key={words} keys={keys} words={t(words)} />
        ))}
      </dl>
    </Modal>
  );
}

function Shortcut({ keys, words }: { readonly keys: readonly string[]; readonly words: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{words}</dd>
    </>
  );
}
