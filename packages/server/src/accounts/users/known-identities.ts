import type { Transaction } from '../../platform/db/transaction.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Identities, KnownIdentityRepository } from './known-identity-repository.ts';
import { legacyMailboxOf, mailboxOf } from './mailbox.ts';

const rowsAtOnce = 200;

/**
 * Stores every identity that an account ever had, even after deletion, so that welcome quota and rewards are granted
 * once. Stored as fingerprints that are meaningless without the gateway's key.
 */
export class KnownIdentities {
  readonly #repository: KnownIdentityRepository;
  readonly #box: SecretBox;

  constructor(repository: KnownIdentityRepository, box: SecretBox) {
    this.#repository = repository;
    this.#box = box;
  }

  /** True if none of them was known before; also true for a user without identities. */
  async remember(transaction: Transaction, identities: Identities): Promise<boolean> {
    const fingerprints = this.#fingerprints(identities);
    return (await this.#repository.within(transaction).add(fingerprints)) === fingerprints.length;
  }

  /** Records the identities of many users; returns nothing. */
  async rememberAll(transaction: Transaction, people: readonly Identities[]): Promise<void> {
    const repository = this.#repository.within(transaction);
    for (let start = 0; start < people.length; start += rowsAtOnce) {
      const part = people.slice(start, start + rowsAtOnce);
      await repository.add([...new Set(part.flatMap((row) => this.#fingerprints(row)))]);
    }
  }

  /** Records existing users once, after an upgrade that introduced or changed the fingerprints. */
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
    const mailboxes = email ? [...new Set([mailboxOf(email), legacyMailboxOf(email)])] : [];
    const accounts = Object.entries({ github_id, wechat_id, lark_id, oidc_id });
    const known = [...mailboxes.map((mailbox) => ['email', mailbox] as const), ...accounts];
    return known.flatMap(([name, value]) =>
      value ? [this.#box.fingerprint(`known identity\n${name}\n${value}`)] : [],
    );
  }
}
