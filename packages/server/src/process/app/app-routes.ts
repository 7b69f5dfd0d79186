import {
  accessTokenApi,
  alertApi,
  budgetApi,
  channelApi,
  channelBulkApi,
  channelExportApi,
  channelKeyApi,
  channelOverviewApi,
  channelPreviewApi,
  checkInApi,
  circuitBreakerApi,
  dashboardApi,
  groupApi,
  incidentApi,
  jwtIssuerApi,
  ledgerApi,
  limitRuleApi,
  logApi,
  logExportApi,
  mailApi,
  managedApi,
  modelApi,
  nodeApi,
  oauthApi,
  optionApi,
  orderApi,
  organizationApi,
  organizationBudgetApi,
  organizationDirectoryApi,
  organizationInvitationApi,
  organizationMemberApi,
  organizationSsoApi,
  organizationTokenApi,
  organizationUsageApi,
  ownBudgetApi,
  ownPlanApi,
  passkeyApi,
  payloadApi,
  paymentApi,
  planApi,
  priceApi,
  projectApi,
  publicStatusApi,
  redemptionApi,
  redemptionBulkApi,
  redemptionExportApi,
  referralApi,
  registrationApi,
  routingApi,
  secondFactorApi,
  serviceAccountApi,
  sessionApi,
  ssoSignInApi,
  statementApi,
  statusApi,
  subjectApi,
  tokenApi,
  tokenBulkApi,
  tokenExportApi,
  usageApi,
  userApi,
  userBulkApi,
  userExportApi,
  userLimitApi,
  userPlanApi,
  userSupportApi,
  viewApi,
} from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { tokenBulkRoutes, tokenExportRoutes, tokenRoutes } from '../../accounts/api-tokens/token-routes.ts';
import { budgetRoutes, ownBudgetRoutes } from '../../accounts/budgets/budget-routes.ts';
import { checkInRoutes } from '../../accounts/check-ins/check-in-routes.ts';
import { directoryRoutes } from '../../accounts/directory/directory-routes.ts';
import { scimRoutes } from '../../accounts/directory/scim-routes.ts';
import { groupRoutes } from '../../accounts/groups/group-routes.ts';
import { jwtIssuerRoutes } from '../../accounts/jwt-issuers/jwt-issuer-routes.ts';
import {
  organizationBudgetRoutes,
  organizationTokenRoutes,
  organizationUsageRoutes,
  projectRoutes,
  serviceAccountRoutes,
} from '../../accounts/organizations/organization-object-routes.ts';
import {
  organizationInvitationRoutes,
  organizationMemberRoutes,
  organizationRoutes,
} from '../../accounts/organizations/organization-routes.ts';
import { passkeyRoutes } from '../../accounts/passkeys/passkey-routes.ts';
import { callbackRoutes, orderRoutes, ownPlanRoutes, paymentRoutes } from '../../accounts/payments/payment-routes.ts';
import { planRoutes, userPlanRoutes } from '../../accounts/plans/plan-routes.ts';
import {
  redemptionBulkRoutes,
  redemptionExportRoutes,
  redemptionRoutes,
} from '../../accounts/redemptions/redemption-routes.ts';
import { referralRoutes } from '../../accounts/referrals/referral-routes.ts';
import { registrationRoutes } from '../../accounts/registration/registration-routes.ts';
import { secondFactorRoutes } from '../../accounts/second-factor/second-factor-routes.ts';
import { KnownDevices } from '../../accounts/sessions/known-devices.ts';
import { oauthRoutes } from '../../accounts/sign-in/oauth-routes.ts';
import { SessionCookie } from '../../accounts/sign-in/session-cookie.ts';
import { sessionRoutes } from '../../accounts/sign-in/session-routes.ts';
import { organizationSsoRoutes, ssoSignInRoutes } from '../../accounts/sso/sso-routes.ts';
import { subjectRoutes } from '../../accounts/subjects/subject-routes.ts';
import { accessTokenRoutes } from '../../accounts/users/access-token-routes.ts';
import { statementRoutes } from '../../accounts/users/statement-routes.ts';
import {
  userAdminRoutes,
  userBulkRoutes,
  userExportRoutes,
  userLimitRoutes,
  userRoutes,
} from '../../accounts/users/user-routes.ts';
import { viewRoutes } from '../../accounts/views/view-routes.ts';
import { channelOverviewRoutes } from '../../catalog/channel-overview/channel-overview-routes.ts';
import { channelKeyRoutes } from '../../catalog/channels/channel-key-routes.ts';
import {
  channelBulkRoutes,
  channelExportRoutes,
  channelPreviewRoutes,
  channelRoutes,
} from '../../catalog/channels/channel-routes.ts';
import { breakerRoutes } from '../../catalog/circuit-breaker/breaker-routes.ts';
import { limitRuleRoutes } from '../../catalog/limit-rules/limit-rule-routes.ts';
import { modelRoutes } from '../../catalog/models/model-routes.ts';
import { priceRoutes } from '../../catalog/prices/price-routes.ts';
import { routingRoutes } from '../../catalog/routing-rules/routing-routes.ts';
import { serveTable } from '../../http/serve-table.ts';
import { alertRoutes } from '../../observability/alerts/alert-routes.ts';
import { homeRoutes } from '../../observability/home/home-routes.ts';
import { incidentRoutes } from '../../observability/incidents/incident-routes.ts';
import { logExportRoutes } from '../../observability/log-export/log-export-routes.ts';
import { metricsRoutes } from '../../observability/metrics/metrics-routes.ts';
import { nodeRoutes } from '../../observability/nodes/node-routes.ts';
import { publicStatusRoutes } from '../../observability/public-status/public-status-routes.ts';
import type { ServerIdentity } from '../../observability/status/server-identity.ts';
import { statusRoutes } from '../../observability/status/status-routes.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import { ledgerRoutes } from '../../records/ledger/ledger-routes.ts';
import { logRoutes } from '../../records/logs/log-routes.ts';
import { usageRoutes } from '../../records/usage/usage-routes.ts';
import { payloadRoutes } from '../../relay/payload-logging/payload-routes.ts';
import { mailRoutes } from '../../settings/mail/mail-routes.ts';
import { managedRoutes } from '../../settings/managed/managed-routes.ts';
import { optionRoutes } from '../../settings/options/option-routes.ts';
import type { AppServices } from './create-services.ts';
import { nodeMetrics } from './node-metrics.ts';

/** One line per route table; a table that is not listed here is not served. */
export function mountRoutes(app: FastifyInstance, services: AppServices, identity: ServerIdentity): void {
  const { options, sessions, redemptions, signIn } = services;
  app.decorate('edits', services.edits);
  const devices = new KnownDevices(services.box);
  const mustSetUpSecondFactor = (user: UserRow) => signIn.secondFactor.isMissing(user);
  const sessionCookie = new SessionCookie(sessions, services.accessTokens, devices, mustSetUpSecondFactor);
  const hasSso = () => services.sso.ssoAvailability.get();
  serveTable(app, sessionCookie, statusApi, statusRoutes({ options, identity, hasSso }));
  serveTable(app, sessionCookie, publicStatusApi, publicStatusRoutes(services.publicStatus));
  serveTable(app, sessionCookie, sessionApi, sessionRoutes({ ...signIn, sessions }));
  serveTable(app, sessionCookie, userApi, userRoutes(services));
  serveTable(app, sessionCookie, userBulkApi, userBulkRoutes(services.userBulk));
  serveTable(app, sessionCookie, statementApi, statementRoutes(services.statements, services.userManagement));
  serveTable(app, sessionCookie, userSupportApi, userAdminRoutes(services.userManagement));
  serveTable(app, sessionCookie, userLimitApi, userLimitRoutes(services.userManagement));
  serveTable(app, sessionCookie, registrationApi, registrationRoutes(signIn));
  serveTable(app, sessionCookie, oauthApi, oauthRoutes(signIn));
  serveTable(app, sessionCookie, secondFactorApi, secondFactorRoutes(signIn));
  serveTable(app, sessionCookie, passkeyApi, passkeyRoutes(signIn));
  serveTable(app, sessionCookie, accessTokenApi, accessTokenRoutes(services.namedAccessTokens));
  serveTable(app, sessionCookie, mailApi, mailRoutes(services.mail));
  serveTable(app, sessionCookie, usageApi, usageRoutes(services));
  serveTable(app, sessionCookie, viewApi, viewRoutes(services.views));
  serveTable(app, sessionCookie, dashboardApi, homeRoutes(services.home));
  serveTable(app, sessionCookie, budgetApi, budgetRoutes(services.budgets));
  serveTable(app, sessionCookie, ownBudgetApi, ownBudgetRoutes(services.budgets));
  mountOrganizationRoutes(app, services, sessionCookie);
  serveTable(app, sessionCookie, groupApi, groupRoutes(options));
  serveTable(app, sessionCookie, subjectApi, subjectRoutes(services.subjects, options));
  serveTable(app, sessionCookie, modelApi, modelRoutes({ ...services, mustSetUpSecondFactor }));
  serveTable(app, sessionCookie, optionApi, optionRoutes(services));
  mountChannelRoutes(app, services, sessionCookie);
  serveTable(app, sessionCookie, tokenApi, tokenRoutes(services));
  serveTable(app, sessionCookie, tokenBulkApi, tokenBulkRoutes(services.tokenBulk));
  serveTable(app, sessionCookie, redemptionBulkApi, redemptionBulkRoutes(services.redemptionBulk));
  serveTable(app, sessionCookie, redemptionApi, redemptionRoutes(redemptions));
  mountPaymentRoutes(app, services, sessionCookie);
  serveTable(app, sessionCookie, userExportApi, userExportRoutes(services.listExports));
  serveTable(app, sessionCookie, tokenExportApi, tokenExportRoutes(services.listExports));
  serveTable(app, sessionCookie, redemptionExportApi, redemptionExportRoutes(services.listExports));
  const { routing, explainRouting: explain } = services;
  serveTable(app, sessionCookie, routingApi, routingRoutes({ routing, explain }));
  serveTable(app, sessionCookie, priceApi, priceRoutes(services));
  serveTable(app, sessionCookie, limitRuleApi, limitRuleRoutes(services.limitRules));
  serveTable(app, sessionCookie, logApi, logRoutes(services));
  serveTable(app, sessionCookie, payloadApi, payloadRoutes(services.bodyKeepings, services.keptBodies));
  serveTable(app, sessionCookie, ledgerApi, ledgerRoutes(services.ledger));
  serveTable(app, sessionCookie, alertApi, alertRoutes(services.alerting));
  serveTable(app, sessionCookie, incidentApi, incidentRoutes(services.incidents));
  serveTable(app, sessionCookie, logExportApi, logExportRoutes(services.logDestinations));
  serveTable(app, sessionCookie, managedApi, managedRoutes(services.managedThings));
  serveTable(app, sessionCookie, nodeApi, nodeRoutes(services.nodes));
  metricsRoutes(app, {
    identity: sessionCookie,
    families: () => nodeMetrics(services, identity.version),
    gathered: services.gatheredMetrics,
    name: services.nodes.name,
  });
}

function mountPaymentRoutes(app: FastifyInstance, services: AppServices, sessionCookie: SessionCookie): void {
  const { payments } = services;
  serveTable(app, sessionCookie, paymentApi, paymentRoutes(payments));
  serveTable(app, sessionCookie, orderApi, orderRoutes(payments));
  callbackRoutes(app, payments);
  serveTable(app, sessionCookie, planApi, planRoutes(services.plans));
  serveTable(app, sessionCookie, userPlanApi, userPlanRoutes(services.userPlans, payments.subscriptions));
  serveTable(app, sessionCookie, ownPlanApi, ownPlanRoutes({ ...payments, ...services }));
  serveTable(app, sessionCookie, checkInApi, checkInRoutes(payments.checkIns));
  serveTable(app, sessionCookie, referralApi, referralRoutes(payments.referrals));
}

function mountOrganizationRoutes(
  app: FastifyInstance,
  { organizations, directory, sso, signIn }: AppServices,
  sessionCookie: SessionCookie,
): void {
  const { members, invitations, tokens, projects, budgets, usage } = organizations;
  serveTable(app, sessionCookie, organizationApi, organizationRoutes(organizations.organizations));
  serveTable(app, sessionCookie, organizationMemberApi, organizationMemberRoutes({ members, invitations }));
  serveTable(app, sessionCookie, organizationInvitationApi, organizationInvitationRoutes(invitations));
  serveTable(app, sessionCookie, organizationTokenApi, organizationTokenRoutes(tokens));
  serveTable(app, sessionCookie, organizationUsageApi, organizationUsageRoutes(usage));
  serveTable(app, sessionCookie, organizationBudgetApi, organizationBudgetRoutes(budgets));
  serveTable(app, sessionCookie, projectApi, projectRoutes(projects));
  serveTable(app, sessionCookie, serviceAccountApi, serviceAccountRoutes(projects));
  serveTable(app, sessionCookie, organizationDirectoryApi, directoryRoutes(directory));
  scimRoutes(app, directory);
  serveTable(app, sessionCookie, organizationSsoApi, organizationSsoRoutes(sso));
  serveTable(app, sessionCookie, jwtIssuerApi, jwtIssuerRoutes(sso.jwtIssuers));
  serveTable(app, sessionCookie, ssoSignInApi, ssoSignInRoutes({ ...sso, secondFactor: signIn.secondFactor }));
}

function mountChannelRoutes(app: FastifyInstance, services: AppServices, sessionCookie: SessionCookie): void {
  const { channels, channelTests: tests, channelUpstreams: upstream } = services;
  serveTable(app, sessionCookie, channelApi, channelRoutes({ channels, tests, upstream }));
  serveTable(app, sessionCookie, channelKeyApi, channelKeyRoutes(services.channelKeys, services.channelKeyTests));
  serveTable(app, sessionCookie, circuitBreakerApi, breakerRoutes(services.pauses));
  serveTable(app, sessionCookie, channelOverviewApi, channelOverviewRoutes(services.channelOverviews));
  serveTable(app, sessionCookie, channelPreviewApi, channelPreviewRoutes(services.channelPreviews));
  serveTable(app, sessionCookie, channelBulkApi, channelBulkRoutes(services.channelBulk));
  serveTable(app, sessionCookie, channelExportApi, channelExportRoutes(services.listExports, channels));
}
