import type { Platform } from '../platform/create-platform.ts';
import type { LogService } from '../records/logs/log-service.ts';
import type { AccountServices } from './create-account-services.ts';
import type { createDirectory } from './create-directory.ts';
import { JwtIssuerRepository } from './jwt-issuers/jwt-issuer-repository.ts';
import { JwtIssuerService } from './jwt-issuers/jwt-issuer-service.ts';
import type { OrganizationAccess } from './organizations/organization-access.ts';
import { OidcClient } from './sign-in/oidc-client.ts';
import { SsoAccountService } from './sso/sso-account-service.ts';
import { SsoAvailability } from './sso/sso-availability.ts';
import { SsoDomainChecker } from './sso/sso-domain-checker.ts';
import { SsoDomainRepository } from './sso/sso-domain-repository.ts';
import { type ResolveTxt, resolveTxt, SsoDomainService } from './sso/sso-domain-service.ts';
import { SsoProviderService } from './sso/sso-provider-service.ts';
import { SsoRepository } from './sso/sso-repository.ts';
import { SsoSignInService } from './sso/sso-sign-in-service.ts';

export interface SsoDependencies {
  readonly platform: Pick<
    Platform,
    'database' | 'inTransaction' | 'homeAddress' | 'box' | 'tickets' | 'logger' | 'lifecycle'
  >;
  readonly logs: LogService;
  readonly access: OrganizationAccess;
  readonly accounts: Pick<AccountServices, 'memberships' | 'users' | 'sessions'>;
  readonly directory: Pick<ReturnType<typeof createDirectory>, 'directoryUsers' | 'managedAccounts'>;
  /** DNS; the servers of the operating system by default. */
  readonly resolveTxt?: ResolveTxt | undefined;
  /** Interval between checks of verified domains. */
  readonly domainCheckMs?: number | undefined;
}

/** Sign-in providers and domains of organizations. */
export function createSso({ platform, logs, access, accounts, directory, ...given }: SsoDependencies) {
  const { database, inTransaction, homeAddress: home, box, tickets, logger, lifecycle } = platform;
  const sso = new SsoRepository(database);
  const domains = new SsoDomainRepository(database);
  const shared = { ...accounts, ...directory, sso, access, logs, inTransaction, box, home };
  const resolve = given.resolveTxt ?? resolveTxt;
  const domainChecker = new SsoDomainChecker({
    ...shared,
    ssoDomains: domains,
    logger,
    resolveTxt: resolve,
    everyMs: given.domainCheckMs,
  });
  lifecycle.add({ name: 'domain checker', start: () => domainChecker.start(), stop: () => domainChecker.close() });
  const ssoProviders = new SsoProviderService(shared);
  return {
    ssoProviders,
    ssoAvailability: new SsoAvailability(sso),
    ssoDomains: new SsoDomainService({ ...shared, ssoDomains: domains, resolveTxt: resolve }),
    domainChecker,
    jwtIssuers: new JwtIssuerService({ ...shared, jwtIssuers: new JwtIssuerRepository(database) }),
    ssoSignIn: new SsoSignInService({
      ...shared,
      ssoProviders,
      ssoAccounts: new SsoAccountService({ ...shared, ssoDomains: domains }),
      oidc: new OidcClient(),
      tickets,
      onFailure: (provider, error) =>
        logger.warn({ provider, reason: error.message }, 'login through a provider failed'),
    }),
  };
}
