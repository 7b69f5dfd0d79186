import type { messageDurationMs } from '@headgate/contract';
import { type ReactNode, useSyncExternalStore } from 'react';

export type MessageKind = keyof typeof messageDurationMs;

export interface Message {
  readonly key: number;
  readonly kind: MessageKind;
  readonly content: ReactNode;
}

let messages: readonly Message[] = [];
let count = 0;
const listeners = new Set<() => void>();

function change(next: readonly Message[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Shows a message for the duration of its kind. Showing the same text again restarts the timer. */
export function showMessage(kind: MessageKind, text: ReactNode, detail?: string): void {
  const content = detail && detail !== text ? [text, detail].join('\n') : text;
  count += 1;
  const others = messages.filter((message) => message.kind !== kind || message.content !== content);
  change([...others, { key: count, kind, content }]);
}

export const hideMessage = (key: number): void => change(messages.filter((message) => message.key !== key));

export const hideAllMessages = (): void => change([]);

/** Visible messages, oldest first. */
export const useMessages = (): readonly Message[] => useSyncExternalStore(subscribe, () => messages);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
