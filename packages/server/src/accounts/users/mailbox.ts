interface Provider {
  readonly domains: readonly string[];
  /** Leaves out what counts for nothing before the `@`. */
  readonly plain?: (name: string) => string;
}

/**
 * Providers whose domains lead to the same mailboxes, or that overlook some characters. The first domain stands for
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
  // No name there has a hyphen: what follows one is a tag.
  { domains: ['yahoo.com'], plain: (name) => name.split('-', 1)[0] ?? '' },
];

const providerOf = new Map(providers.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));

/** There a name is a domain of its own, and whatever stands before it reaches the same mailbox. */
const ownDomain = /^([^.]+)\.(fastmail\.(?:com|fm))$/;

/**
 * Where mail to an address arrives, as far as that is known of all or of the largest: no tag, no case, no idle dots.
 */
export function mailboxOf(address: string): string {
  const { name, domain } = partsOf(address);
  const [, owner, home] = ownDomain.exec(domain) ?? [];
  if (owner !== undefined) return `${owner}@${home}`;
  const { domains: [first = domain] = [], plain } = providerOf.get(domain) ?? {};
  return `${plain ? plain(name) : name}@${first}`;
}

/** The mailbox of an address as earlier versions told it, knowing less of providers; fingerprints of it are kept. */
export function formerMailboxOf(address: string): string {
  const { name, domain } = partsOf(address);
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${name}@${domain}`;
  return `${name.replaceAll('.', '')}@gmail.com`;
}

function partsOf(address: string): { name: string; domain: string } {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  return { name, domain: address.slice(at + 1).toLowerCase() };
}
