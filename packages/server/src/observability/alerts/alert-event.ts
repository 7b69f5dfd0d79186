import type { AlertKind, AlertRule } from '@headgate/contract';
import type { AlertValues } from './alert-words.ts';

/** Something that somebody may want to know. */
export interface AlertEvent {
  readonly kind: AlertKind;
  /** What it is about: the same is not told again too soon. */
  readonly subject: string;
  readonly values: AlertValues;
  /** The channel, its tag, or the group of the user it is about, by which rules are narrowed. */
  readonly channel?: number;
  readonly group?: string;
  /** A page of the console. */
  readonly page?: string;
  /** Which rules it is for, by their thresholds; all of its kind unless told otherwise. */
  readonly isFor?: (rule: AlertRule) => boolean;
}

/** Whether a rule wants to hear of something; `tag`: that of the channel. */
export function isWanted(rule: AlertRule, event: AlertEvent, tag: string): boolean {
  if (rule.kind !== event.kind || !rule.enabled || rule.receivers.length === 0) return false;
  // What is about all channels together is narrowed to none.
  const isOneChannel = event.channel !== undefined;
  if (isOneChannel && rule.channels.length > 0 && !rule.channels.includes(event.channel ?? 0)) return false;
  if (isOneChannel && rule.tag !== '' && rule.tag !== tag) return false;
  if (event.group !== undefined && rule.group !== '' && rule.group !== event.group) return false;
  return event.isFor?.(rule) ?? true;
}
