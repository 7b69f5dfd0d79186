import type { AlertKind, AlertRule } from '@headgate/contract';
import type { AlertValues } from './alert-messages.ts';

/** An event that alert rules may match. */
export interface AlertEvent {
  readonly kind: AlertKind;
  /** Key for deduplication: alerts with the same subject are not repeated within the rule's interval. */
  readonly subject: string;
  readonly values: AlertValues;
  /** Channel of the event, its tag or the user's group, which rules can filter by. */
  readonly channel?: number;
  readonly group?: string;
  /** Path of a console page. */
  readonly page?: string;
  /** Selects rules by threshold; by default all rules of the kind match. */
  readonly isFor?: (rule: AlertRule) => boolean;
}

/** True if the rule matches the event; `tag` is the channel's tag. */
export function matchesRule(rule: AlertRule, event: AlertEvent, tag: string): boolean {
  if (rule.kind !== event.kind || !rule.enabled || rule.receivers.length === 0) return false;
  // Events about the whole gateway have no channel to filter by.
  const isOneChannel = event.channel !== undefined;
  if (isOneChannel && rule.channels.length > 0 && !rule.channels.includes(event.channel ?? 0)) return false;
  if (isOneChannel && rule.tag !== '' && rule.tag !== tag) return false;
  if (event.group !== undefined && rule.group !== '' && rule.group !== event.group) return false;
  return event.isFor?.(rule) ?? true;
}
