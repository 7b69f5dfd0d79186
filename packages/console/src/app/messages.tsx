import { messageDurationMs } from '@headgate/contract';
import { Notification } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { hideMessage, type Message, type MessageKind, useMessages } from '../lib/page/messages.ts';
import styles from './messages.module.css';

const maxVisible = 5;

const colors: Readonly<Record<MessageKind, string>> = {
  success: 'green',
  info: 'blue',
  error: 'red',
  warning: 'yellow',
  notice: 'indigo',
};

/** Message stack: top right, centered on a phone. Mounted once, by the frame. */
export function Messages() {
  const messages = useMessages();
  return (
    <div className={styles['place']}>
      {messages.slice(0, maxVisible).map((message) => (
        <MessageCard key={message.key} message={message} />
      ))}
    </div>
  );
}

/** Closes after a timeout that restarts when the pointer or the focus leaves the message. */
function MessageCard({ message: { key, kind, content } }: { readonly message: Message }) {
  const { t } = useTranslation();
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => hideMessage(key), messageDurationMs[kind]);
    return () => clearTimeout(timer);
  }, [isHeld, key, kind]);
  return (
    <Notification
      className={styles['message'] ?? ''}
      color={colors[kind]}
      withBorder
      data-kind={kind}
      closeButtonProps={{ 'aria-label': t('Close') }}
      onClose={() => hideMessage(key)}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {content}
    </Notification>
  );
}
