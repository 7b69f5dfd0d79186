/** Base URLs that replace those of the providers, for tests or on purpose. */
export type ProviderUrls = Readonly<Partial<Record<'github' | 'lark' | 'turnstile', string>>>;

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
