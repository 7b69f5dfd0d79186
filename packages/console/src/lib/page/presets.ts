import type { ConsolePreset, OptionSection } from '@headgate/contract';

interface HiddenParts {
  /** Menu entries. */
  readonly pages: readonly string[];
  readonly topics: readonly OptionSection[];
}

/**
 * What each preset hides from the menu and the list of settings. Hidden pages can still be reached by links and search.
 */
const hiddenParts: Readonly<Record<ConsolePreset, HiddenParts>> = {
  everything: { pages: [], topics: [] },
  personal: {
    pages: [
      ...['/user', '/organization/all', '/redemption', '/order', '/plan', '/payout'],
      ...['/topup', '/organization', '/limit', '/failure'],
    ],
    topics: ['whitelist', 'github', 'lark', 'wechat', 'oidc', 'pusher', 'turnstile', 'payment'],
  },
  team: {
    pages: ['/redemption', '/order', '/plan', '/payout', '/topup'],
    topics: ['lark', 'wechat', 'pusher', 'turnstile', 'payment'],
  },
  reseller: { pages: ['/playground'], topics: ['oidc', 'pusher'] },
};

export const isPageHidden = (preset: ConsolePreset, path: string): boolean => hiddenParts[preset].pages.includes(path);

export const isTopicHidden = (preset: ConsolePreset, topic: OptionSection): boolean =>
  hiddenParts[preset].topics.includes(topic);
