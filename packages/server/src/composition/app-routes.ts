import {
  accessTokenApi,
  alertApi,
  budgetApi,
  channelApi,
  channelBulkApi,
  channelExportApi,
  channelKeyApi,
  channelPauseApi,
  groupApi,
  homeApi,
  keptBodyApi,
  ledgerApi,
  limitRuleApi,
  logApi,
  mailApi,
  managedApi,
  modelApi,
  nodeApi,
  oauthApi,
  optionApi,
  ownBudgetApi,
  passkeyApi,
  priceApi,
  publicStatusApi,
  redemptionApi,
  redemptionBulkApi,
  redemptionExportApi,
  registrationApi,
  routingApi,
  secondFactorApi,
  sessionApi,
  statusApi,
  subjectApi,
  tokenApi,
  tokenBulkApi,
  tokenExportApi,
  usageApi,
  userApi,
  userBulkApi,
  userCareApi,
  userExportApi,
  userLimitApi,
  viewApi,
} from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { alertRoutes } from '../alerts/alert-routes.ts';
import { budgetRoutes, ownBudgetRoutes } from '../budgets/budget-routes.ts';
import { channelKeyRoutes } from '../channels/channel-key-routes.ts';
import { channelBulkRoutes, channelExportRoutes, channelRoutes } from '../channels/channel-routes.ts';
import { groupRoutes } from '../groups/group-routes.ts';
import { homeRoutes } from '../home/home-routes.ts';
import { serveTable } from '../http/serve-table.ts';
import { keptBodyRoutes } from '../kept-bodies/kept-body-routes.ts';
import { ledgerRoutes } from '../ledger/ledger-routes.ts';
import { limitRuleRoutes } from '../limit-rules/limit-rule-routes.ts';
import { oauthRoutes } from '../login/oauth-routes.ts';
import { SessionCookie } from '../login/session-cookie.ts';
import { sessionRoutes } from '../login/session-routes.ts';
import { logRoutes } from '../logs/log-routes.ts';
import { mailRoutes } from '../mail/mail-routes.ts';
import { managedRoutes } from '../managed/managed-routes.ts';
import { metricsRoutes } from '../metrics/metrics-routes.ts';
import { modelRoutes } from '../models/model-routes.ts';
import { nodeRoutes } from '../nodes/node-routes.ts';
import { optionRoutes } from '../options/option-routes.ts';
import { passkeyRoutes } from '../passkeys/passkey-routes.ts';
import { pauseRoutes } from '../pauses/pause-routes.ts';
import { priceRoutes } from '../prices/price-routes.ts';
import { publicStatusRoutes } from '../public-status/public-status-routes.ts';
import { redemptionBulkRoutes, redemptionExportRoutes, redemptionRoutes } from '../redemptions/redemption-routes.ts';
import { registrationRoutes } from '../registration/registration-routes.ts';
import { routingRoutes } from '../routing/routing-routes.ts';
import { secondFactorRoutes } from '../second-factor/second-factor-routes.ts';
import { KnownDevices } from '../sessions/known-devices.ts';
import type { ServerIdentity } from '../status/server-identity.ts';
import { statusRoutes } from '../status/status-routes.ts';
import { subjectRoutes } from '../subjects/subject-routes.ts';
import { tokenBulkRoutes, tokenExportRoutes, tokenRoutes } from '../tokens/token-routes.ts';
import { usageRoutes } from '../usage/usage-routes.ts';
import { accessTokenRoutes } from '../users/access-token-routes.ts';
import { userBulkRoutes, userCareRoutes, userExportRoutes, userLimitRoutes, userRoutes } from '../users/user-routes.ts';
import { viewRoutes } from '../views/view-routes.ts';
import type { AppServices } from './app-services.ts';
import { nodeMetrics } from './node-metrics.ts';

/** One line per table: what is not mounted here is not served. */
export function mountRoutes(app: FastifyInstance, services: AppServices, identity: ServerIdentity): void {
  const { channels, options, sessions, tokens, redemptions, signIn } = services;
  app.decorate('edits', services.edits);
  const devices = new KnownDevices(services.box);
  const sessionCookie = new SessionCookie(sessions, services.accessTokens, devices, (user) =>
    signIn.secondFactor.isMissing(user),
  );
  serveTable(app, sessionCookie, statusApi, statusRoutes(options, identity));
  serveTable(app, sessionCookie, publicStatusApi, publicStatusRoutes(services.publicStatus));
  serveTable(app, sessionCookie, sessionApi, sessionRoutes({ ...signIn, sessions }));
  serveTable(app, sessionCookie, userApi, userRoutes(services));
  serveTable(app, sessionCookie, userBulkApi, userBulkRoutes(services.userBulk));
  serveTable(app, sessionCookie, userCareApi, userCareRoutes(services.userCare));
  serveTable(app, sessionCookie, userLimitApi, userLimitRoutes(services.userCare));
  serveTable(app, sessionCookie, registrationApi, registrationRoutes(signIn));
  serveTable(app, sessionCookie, oauthApi, oauthRoutes(signIn));
  serveTable(app, sessionCookie, secondFactorApi, secondFactorRoutes(signIn));
  serveTable(app, sessionCookie, passkeyApi, passkeyRoutes(signIn));
  serveTable(app, sessionCookie, accessTokenApi, accessTokenRoutes(services.namedAccessTokens));
  serveTable(app, sessionCookie, mailApi, mailRoutes(signIn.mail));
  serveTable(app, sessionCookie, usageApi, usageRoutes(services.usage));
  serveTable(app, sessionCookie, viewApi, viewRoutes(services.views));
  serveTable(app, sessionCookie, homeApi, homeRoutes(services.home));
  serveTable(app, sessionCookie, budgetApi, budgetRoutes(services.budgets));
  serveTable(app, sessionCookie, ownBudgetApi, ownBudgetRoutes(services.budgets));
  serveTable(app, sessionCookie, groupApi, groupRoutes(options));
  serveTable(app, sessionCookie, subjectApi, subjectRoutes(services.subjects, options));
  serveTable(app, sessionCookie, modelApi, modelRoutes());
  serveTable(app, sessionCookie, optionApi, optionRoutes(options, services.optionChanges));
  serveTable(
    app,
    sessionCookie,
    channelApi,
    channelRoutes({ channels, tests: services.channelTests, upstream: services.channelUpstreams }),
  );
  serveTable(app, sessionCookie, channelKeyApi, channelKeyRoutes(services.channelKeys, services.channelKeyTests));
  serveTable(app, sessionCookie, channelPauseApi, pauseRoutes(services.pauses));
  serveTable(app, sessionCookie, channelBulkApi, channelBulkRoutes(services.channelBulk));
  serveTable(app, sessionCookie, tokenApi, tokenRoutes(tokens));
  serveTable(app, sessionCookie, tokenBulkApi, tokenBulkRoutes(services.tokenBulk));
  serveTable(app, sessionCookie, redemptionBulkApi, redemptionBulkRoutes(services.redemptionBulk));
  serveTable(app, sessionCookie, redemptionApi, redemptionRoutes(redemptions));
  serveTable(app, sessionCookie, userExportApi, userExportRoutes(services.listExports));
  serveTable(app, sessionCookie, tokenExportApi, tokenExportRoutes(services.listExports));
  serveTable(app, sessionCookie, channelExportApi, channelExportRoutes(services.listExports, services.channels));
  serveTable(app, sessionCookie, redemptionExportApi, redemptionExportRoutes(services.listExports));
  const { routing, explainRouting: explain } = services;
  serveTable(app, sessionCookie, routingApi, routingRoutes({ routing, explain }));
  serveTable(app, sessionCookie, priceApi, priceRoutes(services.prices));
  serveTable(app, sessionCookie, limitRuleApi, limitRuleRoutes(services.limitRules));
  serveTable(app, sessionCookie, logApi, logRoutes(services));
  serveTable(app, sessionCookie, keptBodyApi, keptBodyRoutes(services.bodyKeepings, services.keptBodies));
  serveTable(app, sessionCookie, ledgerApi, ledgerRoutes(services.ledger));
  serveTable(app, sessionCookie, alertApi, alertRoutes(services.alerting));
  serveTable(app, sessionCookie, managedApi, managedRoutes(services.managedThings));
  serveTable(app, sessionCookie, nodeApi, nodeRoutes(services.nodes));
  metricsRoutes(app, {
    identity: sessionCookie,
    families: () => nodeMetrics(services, identity.version),
    gathered: services.gatheredMetrics,
    name: services.nodes.name,
  });
}
