import type * as z from 'zod/mini';
import type { OptionFaultWords } from './option-words.ts';

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

export type FaultValues = Readonly<Record<string, string | number>>;

/** What is wrong with the text of an option: a sentence, and what is to be filled into it beside the label. */
export interface OptionFault {
  readonly words: OptionFaultWords;
  readonly values: FaultValues;
}

/**
 * One option. It travels and is stored as text; `schema` reads that text, `format` writes it. The schema's messages are
 * OptionFaultWords.
 */
export interface OptionRow<T = unknown> {
  readonly section: OptionSection;
  readonly control: OptionControl;
  readonly label: string;
  readonly initial: T;
  readonly schema: z.ZodMiniType<T, string>;
  format(value: T): string;
  /** The lowest role that may change it; every admin may read it, secrets excepted. */
  readonly changedBy: 'admin' | 'root';
  /** Shown in the empty field. */
  readonly hint?: string;
  /** Said under the field. */
  readonly help?: string;
  readonly step?: number;
  /** Points of quota: the form tells what they are worth. */
  readonly isQuota?: true;
  readonly choices?: readonly string[];
  /** Keys that must be filled before this switch may be turned on. */
  readonly needs?: readonly string[];
  /** Keys that say where this secret is sent, the host first. It is forgotten when one of them changes. */
  readonly sentTo?: readonly string[];
}
