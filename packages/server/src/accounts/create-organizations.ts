import type { Platform } from '../platform/create-platform.ts';
import type { Records } from '../records/create-records.ts';
import type { StatementReader } from '../records/statements/statement-service.ts';
import type { AccountServices, UserData } from './create-account-services.ts';
import { OrganizationAccess } from './organizations/organization-access.ts';
import { OrganizationBudgetService } from './organizations/organization-budget-service.ts';
import { OrganizationInvitationRepository } from './organizations/organization-invitation-repository.ts';
import { OrganizationInvitationService } from './organizations/organization-invitation-service.ts';
import { OrganizationMemberRepository } from './organizations/organization-member-repository.ts';
import { OrganizationMemberService } from './organizations/organization-member-service.ts';
import { OrganizationRepository } from './organizations/organization-repository.ts';
import { OrganizationService, type WithReservedPoints } from './organizations/organization-service.ts';
import { OrganizationTokenRepository } from './organizations/organization-token-repository.ts';
import { OrganizationTokenService } from './organizations/organization-token-service.ts';
import { OrganizationUsageService } from './organizations/organization-usage-service.ts';
import { ProjectRepository } from './organizations/project-repository.ts';
import { ProjectService } from './organizations/project-service.ts';
import { SsoRepository } from './sso/sso-repository.ts';

interface OrganizationDependencies {
  readonly platform: Pick<Platform, 'database' | 'inTransaction' | 'mail' | 'homeAddress' | 'managed' | 'options'>;
  readonly records: Pick<Records, 'logs' | 'ownLogs' | 'logExports' | 'usage'> & {
    readonly statements: StatementReader;
  };
  readonly userData: UserData;
  readonly withReservedPoints: WithReservedPoints;
  readonly accounts: Pick<AccountServices, 'memberships' | 'tokens' | 'users' | 'redemptions' | 'budgets' | 'sessions'>;
}

/** Organizations with their members and invitations. */
export function createOrganizations({
  platform,
  records,
  userData,
  withReservedPoints,
  accounts,
}: OrganizationDependencies) {
  const { database, inTransaction, managed, mail, options, homeAddress: home } = platform;
  const organizations = new OrganizationRepository(database);
  const members = new OrganizationMemberRepository(database);
  const sso = new SsoRepository(database);
  const access = new OrganizationAccess({ organizations, members }, options);
  const projects = new ProjectRepository(database);
  const organizationTokens = new OrganizationTokenRepository(database);
  const shared = { access, members, projects, organizationTokens, managed, inTransaction, ...records, ...accounts };
  return {
    access,
    organizations: new OrganizationService({
      ...shared,
      organizations,
      options,
      withReservedPoints,
      endSsoSessions: async (transaction, id) => {
        for (const userId of await sso.within(transaction).commonUsersOfOrganization(id))
          await accounts.sessions.endOthers(transaction, userId, undefined);
      },
      stored: [userData.keepings, userData.storedResponses],
    }),
    members: new OrganizationMemberService(shared),
    tokens: new OrganizationTokenService(shared),
    projects: new ProjectService(shared),
    budgets: new OrganizationBudgetService(shared),
    usage: new OrganizationUsageService(shared),
    invitations: new OrganizationInvitationService({
      ...shared,
      invitations: new OrganizationInvitationRepository(database),
      mail,
      home,
    }),
  };
}
