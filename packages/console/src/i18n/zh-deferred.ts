import { logEventMessages, optionErrors, optionLabels } from '@headgate/contract';
import { alerts } from './zh/later/alerts.ts';
import { channelRules } from './zh/later/channel-rules.ts';
import { channels } from './zh/later/channels.ts';
import { common } from './zh/later/common.ts';
import { forms } from './zh/later/forms.ts';
import { frame } from './zh/later/frame.ts';
import { home } from './zh/later/home.ts';
import { limits } from './zh/later/limits.ts';
import { lists } from './zh/later/lists.ts';
import { logExport } from './zh/later/log-export.ts';
import { logs } from './zh/later/logs.ts';
import { modelCatalog } from './zh/later/model-catalog.ts';
import { nodes } from './zh/later/nodes.ts';
import { organization } from './zh/later/organization.ts';
import { organizationSignIn } from './zh/later/organization-sign-in.ts';
import { otherPages } from './zh/later/other-pages.ts';
import { payments } from './zh/later/payments.ts';
import { personalSettings } from './zh/later/personal-settings.ts';
import { plans } from './zh/later/plans.ts';
import { playground } from './zh/later/playground.ts';
import { prices } from './zh/later/prices.ts';
import { redemptions } from './zh/later/redemptions.ts';
import { routing } from './zh/later/routing.ts';
import { settings } from './zh/later/settings.ts';
import { signIn } from './zh/later/sign-in.ts';
import { statement } from './zh/later/statement.ts';
import { statusPage } from './zh/later/status-page.ts';
import { tokens } from './zh/later/tokens.ts';
import { usage } from './zh/later/usage.ts';
import { users } from './zh/later/users.ts';

/** Simplified Chinese for the other pages, dialogs and settings. Loaded after the initial table. */
export const zhDeferred = {
  ...logEventMessages,
  ...optionLabels,
  ...optionErrors,
  ...alerts,
  ...channelRules,
  ...channels,
  ...common,
  ...forms,
  ...frame,
  ...home,
  ...limits,
  ...lists,
  ...logExport,
  ...logs,
  ...modelCatalog,
  ...nodes,
  ...organization,
  ...organizationSignIn,
  ...otherPages,
  ...payments,
  ...personalSettings,
  ...plans,
  ...playground,
  ...prices,
  ...redemptions,
  ...routing,
  ...settings,
  ...signIn,
  ...statement,
  ...statusPage,
  ...tokens,
  ...usage,
  ...users,
} as const;
