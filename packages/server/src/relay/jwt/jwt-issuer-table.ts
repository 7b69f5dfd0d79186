import { isDeepStrictEqual } from 'node:util';
import type { JwtIssuerRow } from '../../accounts/jwt-issuers/jwt-issuer-service.ts';

/** An issuer as used for requests. */
export interface AcceptedIssuer
  extends Pick<
    JwtIssuerRow,
    'id' | 'organization_id' | 'issuer' | 'audience' | 'keys_url' | 'claim' | 'values' | 'token_id' | 'not_before'
  > {
  readonly blocked: ReadonlySet<string>;
  readonly isEnabled: boolean;
  /** True if the URLs must be public. */
  readonly isPublicOnly: boolean;
}

/** All JWT issuers, in memory from the first request with a JWT. An unchanged issuer stays the same object. */
export class JwtIssuerTable {
  readonly #read: () => Promise<readonly JwtIssuerRow[]>;
  #issuers: ReadonlyMap<number, AcceptedIssuer> = new Map();
  #loading: Promise<void> | undefined;
  #readings = 0;
  #shown = 0;

  constructor(read: () => Promise<readonly JwtIssuerRow[]>) {
    this.#read = read;
  }

  /** Resolves once the table was read. */
  ready(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  /** Reads the table again after a change, if it was read before. */
  async refresh(): Promise<void> {
    if (this.#loading !== undefined) await this.#load();
  }

  /** True while the issuer is enabled and unchanged. */
  isCurrent(issuer: AcceptedIssuer): boolean {
    return issuer.isEnabled && this.#issuers.get(issuer.id) === issuer;
  }

  /** Issuers of a JWT, including disabled ones, oldest first. */
  matching(issuer: string, audiences: readonly string[]): readonly AcceptedIssuer[] {
    return [...this.#issuers.values()].filter((each) => each.issuer === issuer && audiences.includes(each.audience));
  }

  /** Discards reads older than the loaded state, which would restore removed issuers. */
  async #load(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const rows = await this.#read();
    if (reading < this.#shown) return;
    this.#shown = reading;
    this.#issuers = new Map(rows.map((row) => [row.id, this.#keep(acceptedIssuer(row))]));
  }

  #keep(issuer: AcceptedIssuer): AcceptedIssuer {
    const known = this.#issuers.get(issuer.id);
    return isDeepStrictEqual(known, issuer) && known ? known : issuer;
  }
}

const acceptedIssuer = (row: JwtIssuerRow): AcceptedIssuer => ({
  id: row.id,
  organization_id: row.organization_id,
  issuer: row.issuer,
  audience: row.audience,
  keys_url: row.keys_url,
  claim: row.claim,
  values: row.values,
  token_id: row.token_id,
  not_before: row.not_before,
  blocked: new Set(row.blocked_subjects === '' ? [] : row.blocked_subjects.split('\n')),
  isEnabled: row.is_enabled === 1,
  isPublicOnly: row.is_private_allowed === 0,
});
