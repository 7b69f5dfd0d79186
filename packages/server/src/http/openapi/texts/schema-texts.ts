import { alertSchemas } from './alerts.ts';
import { bulkSchemas } from './bulk.ts';
import { channelOverviewSchemas } from './channel-overview-schemas.ts';
import { channelPreviewSchemas } from './channel-preview-schemas.ts';
import { channelSchemas } from './channel-schemas.ts';
import { secondFactorSchemas } from './factors.ts';
import { jwtIssuerSchemas } from './jwt-issuers.ts';
import { limitSchemas } from './limits.ts';
import { logExportSchemas } from './log-export.ts';
import { logOverviewSchemas } from './log-overview-schemas.ts';
import { logSchemas } from './log-schemas.ts';
import { modelSchemas } from './model-schemas.ts';
import { directorySchemas } from './organization-directory.ts';
import { organizationObjectSchemas } from './organization-objects.ts';
import { ssoSchemas } from './organization-sso.ts';
import { organizationSchemas } from './organizations.ts';
import { paymentSchemas } from './payments.ts';
import { planSchemas } from './plans.ts';
import { priceSchemas } from './price-schemas.ts';
import { rewardSchemas } from './rewards.ts';
import { routingSchemas } from './routing.ts';
import { settingSchemas } from './settings.ts';
import { signInSchemas } from './sign-in.ts';
import { statusSchemas } from './status.ts';
import { tokenSchemas } from './tokens.ts';
import type { SchemaText, SchemaTexts } from './types.ts';
import { usageSchemas } from './usage-schemas.ts';
import { userSchemas } from './users.ts';

const given: SchemaTexts = {
  ...statusSchemas,
  ...signInSchemas,
  ...secondFactorSchemas,
  ...userSchemas,
  ...bulkSchemas,
  ...tokenSchemas,
  ...limitSchemas,
  ...organizationSchemas,
  ...directorySchemas,
  ...ssoSchemas,
  ...jwtIssuerSchemas,
  ...organizationObjectSchemas,
  ...paymentSchemas,
  ...planSchemas,
  ...rewardSchemas,
  ...channelSchemas,
  ...channelOverviewSchemas,
  ...channelPreviewSchemas,
  ...modelSchemas,
  ...routingSchemas,
  ...priceSchemas,
  ...logOverviewSchemas,
  ...logSchemas,
  ...usageSchemas,
  ...alertSchemas,
  ...logExportSchemas,
  ...settingSchemas,
};

/** Adds the fields and examples of the component named in `like`. */
function inherited(text: SchemaText): SchemaText {
  const base = text.like === undefined ? undefined : given[text.like];
  if (!base) return text;
  const { fields, example } = inherited(base);
  return { ...text, fields: { ...fields, ...text.fields }, example: { ...example, ...text.example } };
}

/** Descriptions of the components, by name. */
export const schemaTexts: SchemaTexts = Object.fromEntries(
  Object.entries(given).map(([name, text]) => [name, inherited(text)]),
);
