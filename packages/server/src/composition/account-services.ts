import { BudgetRepository } from '../budgets/budget-repository.ts';
import { BudgetService } from '../budgets/budget-service.ts';
import type { Database } from '../db/database.ts';
import { BodyKeepingRepository } from '../kept-bodies/body-keeping-repository.ts';
import { BodyKeepingService } from '../kept-bodies/body-keeping-service.ts';
import { KeptBodyRepository } from '../kept-bodies/kept-body-repository.ts';
import { RedemptionRepository } from '../redemptions/redemption-repository.ts';
import { RedemptionService } from '../redemptions/redemption-service.ts';
import { StoredResponseRepository } from '../relay/stored/stored-response-repository.ts';
import { SessionRepository } from '../sessions/session-repository.ts';
import { SessionService } from '../sessions/session-service.ts';
import { TokenRepository } from '../tokens/token-repository.ts';
import { TokenService } from '../tokens/token-service.ts';
import { AccessTokenRepository } from '../users/access-token-repository.ts';
import { AccessTokenService } from '../users/access-token-service.ts';
import { AccountService } from '../users/account-service.ts';
import { KnownIdentities } from '../users/known-identities.ts';
import { KnownIdentityRepository } from '../users/known-identity-repository.ts';
import { NamedAccessTokenService } from '../users/named-access-token-service.ts';
import { UserManagementService } from '../users/user-management-service.ts';
import { UserRepository } from '../users/user-repository.ts';
import { UserService } from '../users/user-service.ts';
import { ViewRepository } from '../views/view-repository.ts';
import { ViewService } from '../views/view-service.ts';
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
