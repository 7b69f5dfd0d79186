import type { Platform } from '../platform/create-platform.ts';
import type { Records } from '../records/create-records.ts';
import { TokenBulkRepository } from './api-tokens/token-bulk-repository.ts';
import { TokenBulkService } from './api-tokens/token-bulk-service.ts';
import { TokenRepository } from './api-tokens/token-repository.ts';
import { createAccountServices, type UserData } from './create-account-services.ts';
import { createDirectory } from './create-directory.ts';
import { createOrganizations } from './create-organizations.ts';
import { createSignIn, type SignInSettings } from './create-sign-in.ts';
import { createSso, type SsoDependencies } from './create-sso.ts';
import { createStatements } from './create-statements.ts';
import type { WithReservedPoints } from './organizations/organization-service.ts';
import type { PolicyLimits } from './policy/policy-service.ts';
import { RedemptionBulkRepository } from './redemptions/redemption-bulk-repository.ts';
import { RedemptionBulkService } from './redemptions/redemption-bulk-service.ts';
import { SubjectRepository } from './subjects/subject-repository.ts';
import { UserAdminService } from './users/user-admin-service.ts';
import { UserBulkRepository } from './users/user-bulk-repository.ts';
import { UserBulkService } from './users/user-bulk-service.ts';

interface AccountsDependencies
  extends Pick<ConstructorParameters<typeof UserAdminService>[0], 'channels'>,
    Pick<SsoDependencies, 'resolveTxt' | 'domainCheckMs'> {
  readonly limitRules: ConstructorParameters<typeof UserAdminService>[0]['limitRules'] & PolicyLimits;
  readonly platform: Platform;
  readonly records: Records;
  readonly config: SignInSettings;
  readonly userData: UserData;
  readonly withReservedPoints: WithReservedPoints;
  readonly paymentTiming?: { readonly now?: () => number } | undefined;
}

export type Accounts = Awaited<ReturnType<typeof createAccountsModule>>;

/** Users with their sessions, API tokens, redemption codes, budgets and sign-in methods. */
export async function createAccountsModule({
  platform,
  records,
  config,
  userData,
  channels,
  limitRules,
  resolveTxt,
  domainCheckMs,
  withReservedPoints,
  paymentTiming,
}: AccountsDependencies) {
  const { logs, bulkRuns: runs } = records;
  const { database, inTransaction, managed } = platform;
  const needs = { ...platform, ...userData, logs, limitRules, now: paymentTiming?.now };
  const services = createAccountServices(database, needs, config.passwordKib);
  await services.sessions.removeExpired();
  await services.knownIdentities.fill();
  const shared = { runs, logs, inTransaction };
  const statements = createStatements(platform, records.statements, paymentTiming?.now);
  const organizations = createOrganizations({
    ...{ platform, userData, withReservedPoints, accounts: services },
    records: { ...records, statements },
  });
  const provisioning = { platform, logs, access: organizations.access, accounts: services };
  const directory = createDirectory(provisioning);
  const sso = createSso({ ...provisioning, directory, resolveTxt, domainCheckMs });
  return {
    ...services,
    subjects: new SubjectRepository(database),
    userManagement: new UserAdminService({ ...services, channels, limitRules, logs, inTransaction }),
    userBulk: new UserBulkService({ ...shared, managed, bulk: new UserBulkRepository(database) }),
    tokenBulk: new TokenBulkService({
      tokens: new TokenRepository(database),
      bulk: new TokenBulkRepository(database),
      runs,
      inTransaction,
    }),
    redemptionBulk: new RedemptionBulkService({ ...shared, bulk: new RedemptionBulkRepository(database) }),
    statements,
    organizations,
    directory,
    sso,
    signIn: createSignIn({ platform, logs, config, accounts: services, sso: sso.ssoSignIn }),
  };
}
