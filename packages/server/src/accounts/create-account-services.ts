import type { Platform } from '../platform/create-platform.ts';
import type { Database } from '../platform/db/database.ts';
import type { Transaction } from '../platform/db/transaction.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { Records } from '../records/create-records.ts';
import { TokenRepository } from './api-tokens/token-repository.ts';
import { TokenService } from './api-tokens/token-service.ts';
import { BudgetRepository } from './budgets/budget-repository.ts';
import { BudgetService } from './budgets/budget-service.ts';
import { DirectoryUserRepository } from './directory/directory-user-repository.ts';
import { MembershipService } from './organizations/membership-service.ts';
import { OrganizationInvitationRepository } from './organizations/organization-invitation-repository.ts';
import { OrganizationMemberRepository } from './organizations/organization-member-repository.ts';
import { OrganizationRepository } from './organizations/organization-repository.ts';
import { OrganizationTokenRepository } from './organizations/organization-token-repository.ts';
import { PlanRepository } from './plans/plan-repository.ts';
import { PlanService } from './plans/plan-service.ts';
import { UserPlanRepository } from './plans/user-plan-repository.ts';
import { UserPlanService } from './plans/user-plan-service.ts';
import { type PolicyLimits, PolicyService } from './policy/policy-service.ts';
import { RedemptionRepository } from './redemptions/redemption-repository.ts';
import { RedemptionService } from './redemptions/redemption-service.ts';
import { SessionRepository } from './sessions/session-repository.ts';
import { SessionService } from './sessions/session-service.ts';
import { SsoRepository } from './sso/sso-repository.ts';
import { AccessTokenRepository } from './users/access-token-repository.ts';
import { AccessTokenService } from './users/access-token-service.ts';
import { AccountService } from './users/account-service.ts';
import { KnownIdentities } from './users/known-identities.ts';
import { KnownIdentityRepository } from './users/known-identity-repository.ts';
import { NamedAccessTokenService } from './users/named-access-token-service.ts';
import { UserManagementService } from './users/user-management-service.ts';
import { UserRepository } from './users/user-repository.ts';
import { UserService } from './users/user-service.ts';
import { ViewRepository } from './views/view-repository.ts';
import { ViewService } from './views/view-service.ts';

/** Data stored by the relay for a user, deleted with the account. */
export type UserData = Pick<ConstructorParameters<typeof AccountService>[0], 'keepings' | 'storedResponses'>;

type AccountServicesDependencies = Pick<Platform, 'box' | 'inTransaction' | 'options' | 'managed'> &
  Pick<Records, 'logs'> &
  UserData & {
    readonly limitRules: PolicyLimits;
    /** Clock used for plan expiry, in Unix seconds. */
    readonly now?: (() => number) | undefined;
  };

export type AccountServices = ReturnType<typeof createAccountServices>;

/** Creates the services for one database connection; does no I/O. */
export function createAccountServices(database: Database, needs: AccountServicesDependencies, passwordKib?: number) {
  const { box, inTransaction, logs, options, managed, keepings, storedResponses, limitRules } = needs;
  const sessions = new SessionService(new SessionRepository(database));
  const views = new ViewService(new ViewRepository(database), inTransaction);
  const tokens = new TokenService({ tokens: new TokenRepository(database), box, options, inTransaction, managed });
  const userRepository = new UserRepository(database);
  const users = new UserService(userRepository, sessions, inTransaction, {
    managed,
    passwordKib,
    passwordMaxLength: () => options.values.PasswordMaxLength,
  });
  const sso = new SsoRepository(database);
  const ssoLinks = {
    endMembership: (transaction: Transaction, organizationId: number, userId: number) =>
      sso.within(transaction).endMembership(organizationId, userId),
    unlinkUser: (transaction: Transaction, userId: number) => sso.within(transaction).unlinkUser(userId),
  };
  const memberships = new MembershipService({
    ssoLinks,
    organizations: new OrganizationRepository(database),
    members: new OrganizationMemberRepository(database),
    invitations: new OrganizationInvitationRepository(database),
    tokens: new OrganizationTokenRepository(database),
    logs,
  });
  const knownIdentities = new KnownIdentities(new KnownIdentityRepository(database), box);
  const namedTokens = new AccessTokenRepository(database);
  const ofUsers = { userRepository, users, sessions, tokens, views, logs, options, inTransaction, managed };
  const accounts = new AccountService({
    ...ofUsers,
    ssoLinks,
    memberships,
    knownIdentities,
    keepings,
    storedResponses,
  });
  const budgets = new BudgetService({ budgets: new BudgetRepository(database), logs, inTransaction, managed });
  const policies = new PolicyService({ tokens, budgets, limitRules, inTransaction });
  const directoryUsers = new DirectoryUserRepository(database);
  return {
    sessions,
    tokens,
    budgets,
    policies,
    views,
    userRepository,
    users,
    memberships,
    knownIdentities,
    accounts,
    management: new UserManagementService({
      ...ofUsers,
      accounts,
      policies,
      directories: { keepDisabled: (transaction, id) => directoryUsers.within(transaction).keepDisabled(id) },
    }),
    accessTokens: new AccessTokenService(userRepository, namedTokens),
    namedAccessTokens: new NamedAccessTokenService({ ...ofUsers, accessTokens: namedTokens }),
    ...createPlans(database, { ...needs, users }),
  };
}

/** Plans, and the redemption codes that grant plans or quota. */
function createPlans(
  database: Database,
  { now = nowInSeconds, ...needs }: AccountServicesDependencies & { readonly users: UserService },
) {
  const { users, logs, options, box, inTransaction, managed } = needs;
  const rows = { plans: new PlanRepository(database), userPlans: new UserPlanRepository(database) };
  const shared = { logs, inTransaction, now };
  const userPlans = new UserPlanService({ ...shared, ...rows, users });
  return {
    plans: new PlanService({ ...shared, ...rows, managed }),
    userPlans,
    redemptions: new RedemptionService({
      redemptions: new RedemptionRepository(database),
      users,
      plans: userPlans,
      logs,
      options,
      box,
      inTransaction,
    }),
  };
}
