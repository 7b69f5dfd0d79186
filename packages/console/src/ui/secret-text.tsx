import { ActionIcon, Button, Code, Popover } from '@mantine/core';
import { IconCopy, IconEye } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useWords } from '../i18n/translate.ts';
import { copyAndTell } from './copy-and-tell.ts';
import styles from './secret-text.module.css';

interface SecretTextProps {
  readonly text: string;
  /** How many characters show at each end while it is hidden. */
  readonly shown?: number;
  /** Absent: copying is offered beside it. */
  readonly onCopy?: () => void;
}

/** A secret, masked; the whole of it opens beside it, so that nothing else moves. */
export function SecretText({ text, shown = 5, onCopy }: SecretTextProps) {
  const { t } = useWords();
  const copyWords = t('Copy key');
  return (
    <span className={styles['secret']}>
      <Code fz="xs">{`${text.slice(0, shown)}…${text.slice(-4)}`}</Code>
      <RevealButton text={text} />
      {onCopy && (
        <ActionIcon variant="subtle" color="gray" title={copyWords} aria-label={copyWords} onClick={onCopy}>
          <IconCopy size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}

/** What opens is only made when it is opened: a page has a hundred of these. */
function RevealButton({ text }: Pick<SecretTextProps, 'text'>) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const words = t('Show key');
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <span className={styles['place']}>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        title={words}
        aria-label={words}
        aria-expanded={isOpen}
        // A press on it would first count as one outside, close the key, and then open it again.
        onMouseDown={(event) => isOpen && event.stopPropagation()}
        onTouchStart={(event) => isOpen && event.stopPropagation()}
        onClick={() => setOpen(!isOpen)}
      >
        <IconEye size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Popover opened onDismiss={close} position="bottom-start" shadow="md" withinPortal trapFocus>
          <Popover.Target>
            <span className={styles['anchor']} />
          </Popover.Target>
          <Popover.Dropdown aria-label={t('Key')} className={styles['open'] ?? ''}>
            <WholeSecret text={text} />
          </Popover.Dropdown>
        </Popover>
      )}
    </span>
  );
}

function WholeSecret({ text }: Pick<SecretTextProps, 'text'>) {
  const { t } = useWords();
  const whole = useRef<HTMLElement>(null);
  // What the browser does not copy is marked, ready to be copied by hand.
  const mark = () => whole.current && getSelection()?.selectAllChildren(whole.current);
  return (
    <>
      <Code ref={whole} fz="xs" className={styles['whole'] ?? ''}>
        {text}
      </Code>
      <Button
        size="xs"
        variant="light"
        data-autofocus
        leftSection={<IconCopy size={14} stroke={1.6} aria-hidden />}
        onClick={() => void copyAndTell(text, mark)}
      >
        {t('Copy')}
      </Button>
    </>
  );
}
