import { alertResources } from './alerts.ts';
import { channelResources } from './channels.ts';
import { secondFactorResources } from './factors.ts';
import { jwtIssuerResources } from './jwt-issuers.ts';
import { limitResources } from './limits.ts';
import { logExportResources } from './log-export.ts';
import { logResources } from './logs.ts';
import { directoryResources } from './organization-directory.ts';
import { organizationObjectResources } from './organization-objects.ts';
import { ssoResources } from './organization-sso.ts';
import { organizationResources } from './organizations.ts';
import { paymentResources } from './payments.ts';
import { planResources } from './plans.ts';
import { rewardResources } from './rewards.ts';
import { routingResources } from './routing.ts';
import { settingResources } from './settings.ts';
import { signInResources } from './sign-in.ts';
import { statusResources } from './status.ts';
import { tokenResources } from './tokens.ts';
import type { AllResourceTexts } from './types.ts';
import { userResources } from './users.ts';

/** Descriptions of every operation, by table and row of the contract. */
export const resourceTexts: AllResourceTexts = {
  ...statusResources,
  ...signInResources,
  ...secondFactorResources,
  ...userResources,
  ...tokenResources,
  ...limitResources,
  ...organizationResources,
  ...organizationObjectResources,
  ...directoryResources,
  ...ssoResources,
  ...jwtIssuerResources,
  ...paymentResources,
  ...planResources,
  ...rewardResources,
  ...channelResources,
  ...routingResources,
  ...logResources,
  ...alertResources,
  ...logExportResources,
  ...settingResources,
};
