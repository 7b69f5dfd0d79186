import { stripTrailingSlash } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { z } from 'zod';
import { StartFailure } from '../errors/start-failure.ts';

/** Base URLs that replace those of the providers, for tests or intentionally. */
export type ProviderUrls = Readonly<Partial<Record<'github' | 'lark' | 'turnstile' | 'stripe', string>>>;

const addresses = {
  github: {
    page: 'https://github.com/login/oauth/authorize',
    token: 'https://github.com/login/oauth/access_token',
    user: 'https://api.github.com/user',
  },
  lark: {
    page: 'https://accounts.feishu.cn/open-apis/authen/v1/authorize',
    token: 'https://open.feishu.cn/open-apis/authen/v2/oauth/token',
    user: 'https://passport.feishu.cn/suite/passport/oauth/userinfo',
  },
  turnstile: { verify: 'https://challenges.cloudflare.com/turnstile/v0/siteverify' },
} as const;

/** Base URL of Stripe's API. */
export const stripeBaseUrl = ({ stripe }: ProviderUrls): string => stripe ?? 'https://api.stripe.com';

/** URLs of a provider: its own, or the same paths below the replacement. */
export function effectiveProviderUrls<P extends keyof typeof addresses>(
  provider: P,
  urls: ProviderUrls,
): Readonly<Record<keyof (typeof addresses)[P], string>> {
  const base = urls[provider];
  const moved = Object.entries<string>(addresses[provider]).map(([name, address]) => [
    name,
    base === undefined ? address : base + new URL(address).pathname,
  ]);
  return Object.fromEntries(moved) as Record<keyof (typeof addresses)[P], string>;
}

const invalidMessage =
  'must be JSON such as {"github":"http://127.0.0.1:9000"}, with addresses for github, lark, turnstile or stripe';

const address = z
  .string()
  .regex(/^https?:\/\/[^\s/?#][^\s?#]*$/)
  .refine((url) => URL.canParse(url))
  .transform(stripTrailingSlash);

const setting = z.strictObject({
  github: address.optional(),
  lark: address.optional(),
  turnstile: address.optional(),
  stripe: address.optional(),
  /** Confirms that the setting is intentional and not left over from a test. */
  onPurpose: z.boolean().default(false),
});

export const providerUrlsSetting = z.string().transform((text, context) => {
  const parsed = setting.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: invalidMessage });
  return z.NEVER;
});

/**
 * A server that replaces a provider determines who may sign in or has paid. Without `onPurpose`, it must be on this
 * machine, and the gateway must be reachable only from this machine.
 */
export function allowedProviderUrls(given: z.output<typeof setting> | undefined, host: string): ProviderUrls {
  if (!given) return {};
  const { onPurpose, ...rest } = given;
  const urls = Object.fromEntries(
    Object.entries(rest).flatMap(([name, url]) => (url === undefined ? [] : [[name, url]])),
  );
  const isLocal = [host, ...Object.values(urls).map((url) => new URL(url).hostname)].every(isThisMachine);
  if (onPurpose || isLocal) return urls;
  throw new StartFailure(
    'LOGIN_PROVIDER_URLS lets other servers decide who may log in or has paid, which is only allowed between local addresses; unset it, or add "onPurpose":true to it.',
  );
}

const isThisMachine = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
