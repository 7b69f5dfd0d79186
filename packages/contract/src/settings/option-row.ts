import type * as z from 'zod/mini';
import type { OptionErrorMessage } from './option-messages.ts';

export const optionTabs = {
  operation: 'Operation settings',
  system: 'System settings',
  other: 'Other settings',
} as const;
export type OptionTab = keyof typeof optionTabs;

export const optionSections = {
  general: { tab: 'system', label: 'General' },
  login: { tab: 'system', label: 'Login and registration' },
  whitelist: { tab: 'system', label: 'Email domain whitelist' },
  smtp: { tab: 'system', label: 'SMTP' },
  github: { tab: 'system', label: 'GitHub OAuth app' },
  lark: { tab: 'system', label: 'Lark login' },
  wechat: { tab: 'system', label: 'WeChat server' },
  oidc: { tab: 'system', label: 'OpenID Connect' },
  pusher: { tab: 'system', label: 'Message pusher' },
  turnstile: { tab: 'system', label: 'Bot check' },
  operation: { tab: 'operation', label: 'General' },
  log: { tab: 'operation', label: 'Logs' },
  monitor: { tab: 'operation', label: 'Monitoring' },
  quota: { tab: 'operation', label: 'Quota' },
  ratios: { tab: 'operation', label: 'Ratios' },
  payment: { tab: 'operation', label: 'Payments' },
  personal: { tab: 'other', label: 'Personalization' },
  content: { tab: 'other', label: 'Content' },
} as const satisfies Record<string, { tab: OptionTab; label: string }>;
export type OptionSection = keyof typeof optionSections;

export type OptionControl =
  | 'toggle'
  | 'integer'
  | 'number'
  | 'text'
  | 'address'
  | 'long-text'
  | 'ratios'
  | 'secret'
  | 'choice'
  | 'list';

export type Ratios = Readonly<Record<string, number>>;

export type OptionErrorValues = Readonly<Record<string, string | number>>;

/** A validation error: a message and its values, without the label. */
export interface OptionError {
  readonly message: OptionErrorMessage;
  readonly values: OptionErrorValues;
}

/**
 * One option. It is sent and stored as a string: `schema` parses it, `format` writes it. Error messages of the schema
 * are `OptionErrorMessage`s.
 */
export interface OptionRow<T = unknown> {
  readonly section: OptionSection;
  readonly control: OptionControl;
  readonly label: string;
  readonly initial: T;
  readonly schema: z.ZodMiniType<T, string>;
  format(value: T): string;
  /** Lowest role that may change the option. Every admin may read it, except secrets. */
  readonly changedBy: 'admin' | 'root';
  /** Placeholder of the empty field. */
  readonly hint?: string;
  /** Help text below the field. */
  readonly help?: string;
  readonly step?: number;
  /** True for an amount in points; the form also shows its value in dollars. */
  readonly isQuota?: true;
  readonly choices?: readonly string[];
  /** Options that must be set before this switch can be turned on. */
  readonly needs?: readonly string[];
  /** Options that determine where this secret is sent, host first. The secret is deleted when one of them changes. */
  readonly sentTo?: readonly string[];
}
