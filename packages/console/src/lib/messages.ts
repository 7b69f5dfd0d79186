import { messageDurationMs } from '@headgate/contract';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

export type MessageKind = keyof typeof messageDurationMs;

const colors: Readonly<Record<MessageKind, string>> = {
  success: 'green',
  info: 'blue',
  error: 'red',
  warning: 'yellow',
  notice: 'indigo',
};

/** Shows a message for as long as its kind is shown; the same text twice is shown once. */
export function showMessage(kind: MessageKind, message: ReactNode, detail?: string): void {
  const id = typeof message === 'string' ? `${kind}:${message}` : undefined;
  if (id) notifications.hide(id);
  notifications.show({
    ...(id && { id }),
    message: detail && detail !== message ? [message, detail].join('\n') : message,
    color: colors[kind],
    autoClose: messageDurationMs[kind],
    withBorder: true,
    style: { whiteSpace: 'pre-line' },
    closeButtonProps: { 'aria-label': 'Close' },
    'data-kind': kind,
  });
}
