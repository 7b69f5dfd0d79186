import type { AccessScope } from '@headgate/contract';
import type { Words } from '../../../i18n/translate.ts';

/** What each scope is called, and what somebody who chooses it gets. */
export const scopeWords: Readonly<Record<AccessScope, { readonly label: Words; readonly help: Words }>> = {
  all: { label: 'Everything', help: 'Everything you can do, except actions that need your password or a code.' },
  read: { label: 'Read only', help: 'Reads what you can see, except keys and codes. Cannot change anything.' },
  usage: { label: 'Usage only', help: 'Reads usage and logs.' },
  channels: { label: 'Channels only', help: 'Reads and manages channels within your permissions.' },
};

const day = 86_400;

/** How long a new one lasts; the empty one is for ever. */
export const lifetimes: readonly { readonly seconds: number | undefined; readonly label: Words }[] = [
  { seconds: 30 * day, label: '30 days' },
  { seconds: 90 * day, label: '90 days' },
  { seconds: 365 * day, label: '1 year' },
  { seconds: undefined, label: 'Never' },
];
