import { JwtIssuerRepository } from '../accounts/jwt-issuers/jwt-issuer-repository.ts';
import type { Platform } from '../platform/create-platform.ts';
import { IssuerKeys } from './jwt/issuer-keys.ts';
import { JwtIssuerTable } from './jwt/jwt-issuer-table.ts';
import { JwtVerifier } from './jwt/jwt-verifier.ts';

/** Verifies JWTs of organizations' issuers. Reads nothing before the first request with a JWT. */
export function createJwtVerifier({ relayDatabase, feed, logger }: Platform): JwtVerifier {
  const rows = new JwtIssuerRepository(relayDatabase);
  const issuers = new JwtIssuerTable(() => rows.all());
  feed.listen((change) => (change === 'jwt_issuers' || change === 'everything' ? issuers.refresh() : undefined));
  const keys = new IssuerKeys((issuer, error) =>
    logger.warn({ err: error, issuer }, 'the keys of a JWT issuer could not be read'),
  );
  return new JwtVerifier({ issuers, keys, broadcasts: feed.broadcasts });
}
