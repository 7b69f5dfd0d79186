import { TokenRepository } from '../accounts/api-tokens/token-repository.ts';
import { TokenService } from '../accounts/api-tokens/token-service.ts';
import { BudgetRepository } from '../accounts/budgets/budget-repository.ts';
import { BudgetService } from '../accounts/budgets/budget-service.ts';
import { RedemptionRepository } from '../accounts/redemptions/redemption-repository.ts';
import { RedemptionService } from '../accounts/redemptions/redemption-service.ts';
import { SessionRepository } from '../accounts/sessions/session-repository.ts';
import { SessionService } from '../accounts/sessions/session-service.ts';
import { AccessTokenRepository } from '../accounts/users/access-token-repository.ts';
import { AccessTokenService } from '../accounts/users/access-token-service.ts';
import { AccountService } from '../accounts/users/account-service.ts';
import { KnownIdentities } from '../accounts/users/known-identities.ts';
import { KnownIdentityRepository } from '../accounts/users/known-identity-repository.ts';
import { NamedAccessTokenService } from '../accounts/users/named-access-token-service.ts';
import { UserManagementService } from '../accounts/users/user-management-service.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import { UserService } from '../accounts/users/user-service.ts';
import { ViewRepository } from '../accounts/views/view-repository.ts';
import { ViewService } from '../accounts/views/view-service.ts';
import type { Database } from '../platform/db/database.ts';
import { BodyKeepingRepository } from '../relay/kept-bodies/body-keeping-repository.ts';
import { BodyKeepingService } from '../relay/kept-bodies/body-keeping-service.ts';
import { KeptBodyRepository } from '../relay/kept-bodies/kept-body-repository.ts';
import { StoredResponseRepository } from '../relay/stored/stored-response-repository.ts';
import type { CoreServices } from './core-services.ts';

export type AccountServices = Awaited<ReturnType<typeof makeAccountServices>>;

type AccountNeeds = Pick<CoreServices, 'box' | 'inTransaction' | 'logs' | 'options' | 'managed'>;

/** Users and what is theirs: sessions, tokens, quota from codes. */
export async function makeAccountServices(database: Database, core: AccountNeeds, passwordKib: number) {
  const services = accountServicesOn(database, core, passwordKib);
  await services.sessions.forgetExpired();
  await services.knownIdentities.fill();
  return services;
}

/** The same, with nothing done yet. */
export function accountServicesOn(database: Database, core: AccountNeeds, passwordKib?: number) {
  const { box, inTransaction, logs, options, managed } = core;
  const sessions = new SessionService(new SessionRepository(database));
  const views = new ViewService(new ViewRepository(database), inTransaction);
  const tokens = new TokenService({ tokens: new TokenRepository(database), box, options, inTransaction });
  const userRepository = new UserRepository(database);
  const users = new UserService(userRepository, sessions, inTransaction, { managed, passwordKib });
  const knownIdentities = new KnownIdentities(new KnownIdentityRepository(database), box);
  const bodyKeepings = new BodyKeepingService({
    keepings: new BodyKeepingRepository(database),
    bodies: new KeptBodyRepository(database),
    options,
    logs,
    inTransaction,
  });
  const namedTokens = new AccessTokenRepository(database);
  const ofUsers = { userRepository, users, sessions, tokens, views, logs, options, inTransaction, managed };
  const responses = new StoredResponseRepository(database);
  const accounts = new AccountService({
    ...ofUsers,
    knownIdentities,
    keepings: bodyKeepings,
    storedResponses: { removeAll: (transaction, userId) => responses.within(transaction).removeOfUser(userId) },
  });
  return {
    sessions,
    tokens,
    budgets: new BudgetService({ budgets: new BudgetRepository(database), logs, inTransaction, managed }),
    views,
    bodyKeepings,
    userRepository,
    users,
    knownIdentities,
    accounts,
    management: new UserManagementService({ ...ofUsers, accounts }),
    accessTokens: new AccessTokenService(userRepository, namedTokens),
    namedAccessTokens: new NamedAccessTokenService({ ...ofUsers, accessTokens: namedTokens }),
    redemptions: new RedemptionService({
      redemptions: new RedemptionRepository(database),
      users,
      logs,
      options,
      box,
      inTransaction,
    }),
  };
}
