/** What an account is known by beside its name: each belongs to one account at most. */
export type Identity = 'email' | 'github_id' | 'wechat_id' | 'lark_id' | 'oidc_id';

/** An identity as its provider tells it. */
export interface IdentityClaim {
  readonly identity: Identity;
  readonly value: string;
  /** The provider's address where admins choose it, else empty. */
  readonly issuer: string;
}

/**
 * The columns that say who gave an identity, where admins choose the provider's address: the same id at another address
 * is somebody else's.
 */
export const issuerColumns = { wechat_id: 'wechat_issuer', oidc_id: 'oidc_issuer' } as const;

export const hasIssuer = (identity: string): identity is keyof typeof issuerColumns =>
  Object.hasOwn(issuerColumns, identity);

/** The columns of an identity; a value of null is none. */
export const identityColumns = (identity: Identity, value: string | null, issuer: string) => ({
  [identity]: value,
  ...(hasIssuer(identity) && { [issuerColumns[identity]]: issuer }),
});

export const issuerOf = (user: IssuerFields, identity: string): string =>
  (hasIssuer(identity) && user[issuerColumns[identity]]) || '';

interface IssuerFields {
  readonly wechat_issuer?: string | undefined;
  readonly oidc_issuer?: string | undefined;
}
