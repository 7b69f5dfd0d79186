import { ActionIcon, Button, Code, Popover } from '@mantine/core';
import { IconCopy, IconEye } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { copyWithMessage } from './copy-with-message.ts';
import styles from './secret-text.module.css';

interface SecretTextProps {
  readonly text: string;
  /** Number of visible characters at each end while masked. */
  readonly shown?: number;
  /** Absent: a copy button is shown next to it. */
  readonly onCopy?: () => void;
}

/** A masked secret. The full text opens in a popover, so that nothing moves. */
export function SecretText({ text, shown = 5, onCopy }: SecretTextProps) {
  const { t } = useTranslation();
  const copyLabel = t('Copy key');
  return (
    <span className={styles['secret']}>
      <Code fz="xs">{`${text.slice(0, shown)}…${text.slice(-4)}`}</Code>
      <RevealButton text={text} />
      {onCopy && (
        <ActionIcon variant="subtle" color="gray" title={copyLabel} aria-label={copyLabel} onClick={onCopy}>
          <IconCopy size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      )}
    </span>
  );
}

/** The popover is created on demand, because a page may have a hundred secrets. */
function RevealButton({ text }: Pick<SecretTextProps, 'text'>) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const showLabel = t('Show key');
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
        title={showLabel}
        aria-label={showLabel}
        aria-expanded={isOpen}
        // Otherwise the press would count as an outside click, closing the popover and opening it again.
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
  const { t } = useTranslation();
  const whole = useRef<HTMLElement>(null);
  // Selects the text for manual copying if the browser refuses to copy.
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
        onClick={() => void copyWithMessage(text, mark)}
      >
        {t('Copy')}
      </Button>
    </>
  );
}
