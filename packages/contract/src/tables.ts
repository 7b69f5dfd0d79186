import { accessTokenApi } from './access-token.ts';
import { alertApi } from './alert.ts';
import { budgetApi, ownBudgetApi } from './budget.ts';
import { channelApi } from './channel.ts';
import { channelBulkApi } from './channel-bulk.ts';
import { channelExportApi } from './channel-export.ts';
import { channelKeyApi } from './channel-keys.ts';
import { channelPauseApi } from './channel-pauses.ts';
import type { EndpointTable } from './endpoint.ts';
import { groupApi } from './group.ts';
import { homeApi } from './home.ts';
import { keptBodyApi } from './kept-body.ts';
import { ledgerApi } from './ledger.ts';
import { limitRuleApi } from './limit-rule.ts';
import { logApi } from './log.ts';
import { mailApi } from './mail.ts';
import { managedApi } from './managed.ts';
import { modelApi } from './model.ts';
import { nodeApi } from './node.ts';
import { oauthApi } from './oauth.ts';
import { optionApi } from './option.ts';
import { passkeyApi } from './passkey.ts';
import { priceApi } from './price.ts';
import { publicStatusApi } from './public-status.ts';
import { redemptionApi } from './redemption.ts';
import { redemptionBulkApi } from './redemption-bulk.ts';
import { redemptionExportApi } from './redemption-export.ts';
import { registrationApi } from './registration.ts';
import { routingApi } from './routing.ts';
import { secondFactorApi } from './second-factor.ts';
import { sessionApi } from './session.ts';
import { statusApi } from './status.ts';
import { subjectApi } from './subject.ts';
import { tokenApi } from './token.ts';
import { tokenBulkApi } from './token-bulk.ts';
import { tokenExportApi } from './token-export.ts';
import { usageApi } from './usage.ts';
import { userApi } from './user.ts';
import { userBulkApi } from './user-bulk.ts';
import { userCareApi } from './user-care.ts';
import { userExportApi } from './user-export.ts';
import { userLimitApi } from './user-limits.ts';
import { viewApi } from './view.ts';

/** Every endpoint of the API, by resource. What is not here is not served. */
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
  userCare: userCareApi,
  userLimit: userLimitApi,
  budget: budgetApi,
  ownBudget: ownBudgetApi,
  group: groupApi,
  subject: subjectApi,
  model: modelApi,
  option: optionApi,
  channel: channelApi,
  channelBulk: channelBulkApi,
  channelKey: channelKeyApi,
  channelPause: channelPauseApi,
  token: tokenApi,
  tokenBulk: tokenBulkApi,
  redemption: redemptionApi,
  redemptionBulk: redemptionBulkApi,
  userExport: userExportApi,
  tokenExport: tokenExportApi,
  channelExport: channelExportApi,
  redemptionExport: redemptionExportApi,
  price: priceApi,
  limitRule: limitRuleApi,
  routing: routingApi,
  log: logApi,
  keptBody: keptBodyApi,
  ledger: ledgerApi,
  node: nodeApi,
  usage: usageApi,
  home: homeApi,
  view: viewApi,
  alert: alertApi,
} as const satisfies Record<string, EndpointTable>;
