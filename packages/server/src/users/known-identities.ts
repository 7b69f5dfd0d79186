import type { SecretBox } from '../secrets/secret-box.ts';
import type { Transaction } from '../transaction.ts';
import type { Identities, KnownIdentityRepository } from './known-identity-repository.ts';

const rowsAtOnce = 200;

/**
 * Remembers by what people were ever known, also after their accounts are gone, as fingerprints that tell nothing
 * without the gateway's key: a gift is given once to each.
 */
export class KnownIdentities {
  readonly #repository: KnownIdentityRepository;
  readonly #box: SecretBox;

  constructor(repository: KnownIdentityRepository, box: SecretBox) {
    this.#repository = repository;
    this.#box = box;
  }

  /** Whether none of them was known before; somebody without any cannot be told from somebody new. */
  async remember(transaction: Transaction, identities: Identities): Promise<boolean> {
    const fingerprints = this.#fingerprints(identities);
    return (await this.#repository.within(transaction).add(fingerprints)) === fingerprints.length;
  }

  /** Those who were there before identities were remembered. */
  async fill(): Promise<void> {
    if (await this.#repository.isFilled()) return;
    for (let last = 0; ; ) {
      const rows = await this.#repository.identitiesAfter(last, rowsAtOnce);
      await this.#repository.add([...new Set(rows.flatMap((row) => this.#fingerprints(row)))]);
      const { id } = rows.at(-1) ?? {};
      if (id === undefined) break;
      last = id;
    }
    await this.#repository.markFilled();
  }

  #fingerprints({ email, github_id, wechat_id, lark_id, oidc_id }: Identities): string[] {
    const known = { email: email && mailboxOf(email), github_id, wechat_id, lark_id, oidc_id };
    return Object.entries(known).flatMap(([name, value]) =>
      value ? [this.#box.fingerprint(`known identity\n${name}\n${value}`)] : [],
    );
  }
}

/** Where mail to an address arrives, as far as that is known of all or of the largest: no tag, no case, no idle dots. */
function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@');
  const [name = ''] = address.slice(0, at).toLowerCase().split('+');
  const domain = address.slice(at + 1).toLowerCase();
  if (domain !== 'gmail.com' && domain !== 'googlemail.com') return `${name}@${domain}`;
  return `${name.replaceAll('.', '')}@gmail.com`;
}
