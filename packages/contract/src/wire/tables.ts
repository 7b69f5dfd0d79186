import { accessTokenApi } from '../accounts/access-token.ts';
import { budgetApi, ownBudgetApi } from '../accounts/budget.ts';
import { groupApi } from '../accounts/group.ts';
import { jwtIssuerApi } from '../accounts/jwt-issuer.ts';
import { oauthApi } from '../accounts/oauth.ts';
import { organizationApi } from '../accounts/organization.ts';
import { organizationDirectoryApi } from '../accounts/organization-directory.ts';
import { organizationInvitationApi, organizationMemberApi } from '../accounts/organization-member.ts';
import { projectApi, serviceAccountApi } from '../accounts/organization-project.ts';
import { organizationSsoApi, ssoSignInApi } from '../accounts/organization-sso.ts';
import { organizationBudgetApi, organizationTokenApi } from '../accounts/organization-token.ts';
import { organizationUsageApi } from '../accounts/organization-usage.ts';
import { passkeyApi } from '../accounts/passkey.ts';
import { redemptionApi } from '../accounts/redemption.ts';
import { redemptionBulkApi } from '../accounts/redemption-bulk.ts';
import { redemptionExportApi } from '../accounts/redemption-export.ts';
import { registrationApi } from '../accounts/registration.ts';
import { secondFactorApi } from '../accounts/second-factor.ts';
import { sessionApi } from '../accounts/session.ts';
import { subjectApi } from '../accounts/subject.ts';
import { tokenApi } from '../accounts/token.ts';
import { tokenBulkApi } from '../accounts/token-bulk.ts';
import { tokenExportApi } from '../accounts/token-export.ts';
import { userApi } from '../accounts/user.ts';
import { userBulkApi } from '../accounts/user-bulk.ts';
import { userExportApi } from '../accounts/user-export.ts';
import { userLimitApi } from '../accounts/user-limits.ts';
import { userSupportApi } from '../accounts/user-support.ts';
import { viewApi } from '../accounts/view.ts';
import { channelApi } from '../catalog/channel.ts';
import { channelBulkApi } from '../catalog/channel-bulk.ts';
import { channelExportApi } from '../catalog/channel-export.ts';
import { channelKeyApi } from '../catalog/channel-keys.ts';
import { channelOverviewApi } from '../catalog/channel-overview.ts';
import { channelPreviewApi } from '../catalog/channel-preview.ts';
import { circuitBreakerApi } from '../catalog/circuit-breakers.ts';
import { limitRuleApi } from '../catalog/limit-rule.ts';
import { modelApi } from '../catalog/model.ts';
import { priceApi } from '../catalog/price.ts';
import { routingApi } from '../catalog/routing.ts';
import { alertApi } from '../observability/alert.ts';
import { dashboardApi } from '../observability/dashboard.ts';
import { incidentApi } from '../observability/incident.ts';
import { logExportApi } from '../observability/log-export.ts';
import { nodeApi } from '../observability/node.ts';
import { publicStatusApi } from '../observability/public-status.ts';
import { statusApi } from '../observability/status.ts';
import { checkInApi } from '../payments/check-in.ts';
import { orderApi, paymentApi } from '../payments/order.ts';
import { ownPlanApi, planApi, userPlanApi } from '../payments/plan.ts';
import { referralApi } from '../payments/referral.ts';
import { ledgerApi } from '../records/ledger.ts';
import { logApi } from '../records/log.ts';
import { payloadApi } from '../records/payload-logging.ts';
import { statementApi } from '../records/statement.ts';
import { usageApi } from '../records/usage.ts';
import { mailApi } from '../settings/mail.ts';
import { managedApi } from '../settings/managed.ts';
import { optionApi } from '../settings/option.ts';
import type { EndpointTable } from './endpoint.ts';

/** All endpoints of the API, by resource. */
export const apiTables = {
  status: statusApi,
  publicStatus: publicStatusApi,
  session: sessionApi,
  registration: registrationApi,
  oauth: oauthApi,
  secondFactor: secondFactorApi,
  passkey: passkeyApi,
  accessToken: accessTokenApi,
  mail: mailApi,
  managed: managedApi,
  user: userApi,
  userBulk: userBulkApi,
  userSupport: userSupportApi,
  userLimit: userLimitApi,
  budget: budgetApi,
  ownBudget: ownBudgetApi,
  organization: organizationApi,
  organizationMember: organizationMemberApi,
  organizationInvitation: organizationInvitationApi,
  organizationToken: organizationTokenApi,
  organizationBudget: organizationBudgetApi,
  organizationUsage: organizationUsageApi,
  organizationDirectory: organizationDirectoryApi,
  organizationSso: organizationSsoApi,
  jwtIssuer: jwtIssuerApi,
  ssoSignIn: ssoSignInApi,
  project: projectApi,
  serviceAccount: serviceAccountApi,
  group: groupApi,
  subject: subjectApi,
  model: modelApi,
  option: optionApi,
  channel: channelApi,
  channelBulk: channelBulkApi,
  channelKey: channelKeyApi,
  channelPause: circuitBreakerApi,
  channelOverview: channelOverviewApi,
  token: tokenApi,
  tokenBulk: tokenBulkApi,
  redemption: redemptionApi,
  redemptionBulk: redemptionBulkApi,
  payment: paymentApi,
  order: orderApi,
  plan: planApi,
  userPlan: userPlanApi,
  ownPlan: ownPlanApi,
  checkIn: checkInApi,
  referral: referralApi,
  userExport: userExportApi,
  tokenExport: tokenExportApi,
  channelExport: channelExportApi,
  channelPreview: channelPreviewApi,
  redemptionExport: redemptionExportApi,
  price: priceApi,
  limitRule: limitRuleApi,
  routing: routingApi,
  log: logApi,
  keptBody: payloadApi,
  ledger: ledgerApi,
  node: nodeApi,
  usage: usageApi,
  statement: statementApi,
  home: dashboardApi,
  view: viewApi,
  alert: alertApi,
  incident: incidentApi,
  logExport: logExportApi,
} as const satisfies Record<string, EndpointTable>;
