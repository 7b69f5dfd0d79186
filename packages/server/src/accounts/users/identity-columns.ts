/** Unique sign-in identities of an account besides the username. */
export type Identity = 'email' | 'github_id' | 'wechat_id' | 'lark_id' | 'oidc_id';

/** An identity as reported by its provider. */
export interface ReportedIdentity {
  readonly identity: Identity;
  readonly value: string;
  /** The provider's address if admins configure it, otherwise empty. */
  readonly issuer: string;
}

/** Columns for the provider's address, if admins configure it: the same id at another address is another account. */
export const issuerColumns = { wechat_id: 'wechat_issuer', oidc_id: 'oidc_issuer' } as const;

export const hasIssuer = (identity: string): identity is keyof typeof issuerColumns =>
  Object.hasOwn(issuerColumns, identity);

/** Column values for an identity; null clears it. */
export const identityColumns = (identity: Identity, value: string | null, issuer: string) => ({
  [identity]: value,
  ...(hasIssuer(identity) && { [issuerColumns[identity]]: issuer }),
});

export const identityIssuer = (user: IssuerFields, identity: string): string =>
  (hasIssuer(identity) && user[issuerColumns[identity]]) || '';

interface IssuerFields {
  readonly wechat_issuer?: string | undefined;
  readonly oidc_issuer?: string | undefined;
}
