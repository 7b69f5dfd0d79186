import type { AccessScope } from '@headgate/contract';
import type { TextKey } from '../../../i18n/translate.ts';

/** Labels and explanations of the scopes. */
export const scopeLabels: Readonly<Record<AccessScope, { readonly label: TextKey; readonly help: TextKey }>> = {
  all: { label: 'Everything', help: 'Everything you can do, except actions that need your password or a code.' },
  read: { label: 'Read only', help: 'Reads everything you can see, except keys and codes. Cannot change anything.' },
  usage: { label: 'Usage only', help: 'Reads usage and logs.' },
  channels: { label: 'Channels only', help: 'Reads and manages channels within your permissions.' },
};

const day = 86_400;

/** Lifetimes of a new token; undefined means no expiry. */
export const lifetimes: readonly { readonly seconds: number | undefined; readonly label: TextKey }[] = [
  { seconds: 30 * day, label: '30 days' },
  { seconds: 90 * day, label: '90 days' },
  { seconds: 365 * day, label: '1 year' },
  { seconds: undefined, label: 'Never' },
];
