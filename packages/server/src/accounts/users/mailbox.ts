interface Provider {
  readonly domains: readonly string[];
  /** Removes ignored characters from the part before the `@`. */
  readonly plain?: (name: string) => string;
}

/**
 * Providers that have several domains for the same mailboxes or ignore certain characters. The first domain represents
 * all.
 */
const providers: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], plain: (name) => name.replaceAll('.', '') },
  { domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], plain: (name) => name.replace(/[._-]/g, '') },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  {
    domains: ['yandex.ru', 'yandex.com', 'yandex.by', 'yandex.kz', 'yandex.com.tr', 'ya.ru'],
    plain: (name) => name.replace(/[.-]/g, ''),
  },
  // Yahoo names contain no hyphens, so everything after a hyphen is a tag.
  { domains: ['yahoo.com'], plain: (name) => name.split('-', 1)[0] ?? '' },
];

const providerOf = new Map(providers.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));

/** Fastmail subdomain addressing: anything@user.fastmail.com goes to user@fastmail.com. */
const ownDomain = /^([^.]+)\.(fastmail\.(?:com|fm))$/;

/**
 * The mailbox that receives mail for an address: lower case, without a tag, and normalized for the largest providers.
 */
export function mailboxOf(address: string): string {
  const { name, domain } = partsOf(address);
  const [, owner, home] = ownDomain.exec(domain) ?? [];
  if (owner !== undefined) return `${owner}@${home}`;
  const { domains: [first = domain] = [], plain } = providerOf.get(domain) ?? {};
  return `${plain ? plain(name) : name}@${first}`;
}

/** Mailbox as normalized by earlier versions, whose fingerprints are still stored. */
export function legacyMailboxOf(address: string): string {
  const { name, domain } = partsOf(address);
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${name}@${domain}`;
  return `${name.replaceAll('.', '')}@gmail.com`;
}

function partsOf(address: string): { name: string; domain: string } {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  return { name, domain: address.slice(at + 1).toLowerCase() };
}
