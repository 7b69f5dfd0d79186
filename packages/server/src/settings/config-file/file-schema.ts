import {
  alertNameLength,
  alertRule,
  budgetCreation,
  budgetNoteLength,
  budgetTag,
  channelCost,
  channelNameLength,
  channelRule,
  channelRuleAction,
  channelRuleLimits,
  channelSettings,
  channelTypes,
  displayName,
  enteredPrice,
  groupNameLength,
  isStoredOption,
  limitNoteLength,
  limitRuleApi,
  listedNameLength,
  logExportNameLength,
  maxFallbacks,
  maxKeysPerChannel,
  type OptionControl,
  type OptionKey,
  optionKeys,
  optionRow,
  organizationNameLength,
  planApi,
  planNameLength,
  projectNameLength,
  quota,
  routingApi,
  type StoredOptionKey,
  tokenNameLength,
  tokenNoteLength,
} from '@headgate/contract';
import { z } from 'zod';
import { destination, logExportEntry, nameSchema, previousName } from './destination-entries.ts';
import { fileVariables } from './file-variables.ts';
import { organizationEntry } from './organization-entries.ts';
import { keyReference, secretReference } from './secret-reference.ts';

/** Without commas, because lists are stored comma-separated. */
const listedName = z
  .string()
  .trim()
  .min(1)
  .max(listedNameLength.max)
  .regex(/^[^,]*$/, 'must not contain a comma');
const names = z.array(listedName).max(5000);

const typeNames = channelTypes.map(({ name }) => name);

/** A header of a rule whose value is a credential. */
const secretHeader = z.strictObject({ do: z.literal('set_header'), header: z.string(), value: secretReference });

/** Rules of a channel, with references instead of credentials. */
const rules = z
  .array(
    z.object({
      ...channelRule.shape,
      // biome-ignore lint/suspicious/noThenProperty: a rule is never awaited.
      then: z
        .array(z.union([channelRuleAction, secretHeader]))
        .min(1)
        .max(channelRuleLimits.actions),
    }),
  )
  .max(channelRuleLimits.rules);

const channel = z.strictObject({
  type: z
    .union([z.enum(typeNames), z.int().min(1).max(100_000)], { error: 'must be the name or id of a channel type' })
    .describe('Name of a provider as in the console, or its type id'),
  key: z.optional(secretReference),
  keys: z
    .optional(z.array(keyReference).min(1).max(maxKeysPerChannel))
    .describe('Several keys instead of one; a secret may contain several, one per line'),
  models: names.default([]),
  groups: names.default(['default']),
  enabled: z.boolean().default(true),
  base_url: z.optional(channelSettings.base_url),
  other: z.optional(channelSettings.other),
  model_mapping: z.optional(z.record(z.string(), z.string())),
  system_prompt: z.optional(channelSettings.system_prompt),
  purchase: z.optional(channelCost),
  rules: z.optional(rules),
  config: z
    .optional(z.record(z.string(), z.union([z.string(), z.number(), secretReference])))
    .describe('Type-specific settings such as region'),
  priority: z.optional(channelSettings.priority),
  weight: z.optional(channelSettings.weight),
  tag: z.optional(channelSettings.tag),
  key_strategy: z.optional(channelSettings.key_strategy),
  previous_name: previousName,
});
export type ChannelEntry = z.output<typeof channel>;

/** In dollars per million tokens, or per unit of the model. */
const price = z.strictObject(enteredPrice);

const ratio = z.number().min(0).max(1e9);

const limitFields = limitRuleApi.create.body.shape;

const tokenName = z.optional(z.string().min(1).max(tokenNameLength.max));

const limit = z.strictObject({
  token: tokenName.describe('Name of a token of this file'),
  user: z.optional(z.string().min(1).max(100)).describe('Name of a user; all users if omitted'),
  channel: z
    .optional(z.string().min(1).max(channelNameLength.max))
    .describe('Name of a channel; all channels if omitted'),
  group: limitFields.group,
  model: limitFields.model,
  tag: limitFields.tag,
  measure: limitFields.measure,
  amount: limitFields.amount,
  counts_per: limitFields.counts_per,
  enabled: limitFields.enabled,
  previous_name: previousName,
});
export type LimitEntry = Omit<z.output<typeof limit>, 'previous_name'>;

const ruleFields = routingApi.createRule.body.shape;

/** Routing for one group and model, or for all. */
const routingRule = z.strictObject({
  ...ruleFields,
  fallbacks: z
    .array(listedName)
    .max(maxFallbacks)
    .default([])
    .describe('Fallback models, tried in this order when no channel serves the model'),
});

const budgetTerms = budgetCreation.shape;

const budget = z.strictObject({
  user: z.optional(z.string().min(1).max(100)).describe('User the budget applies to'),
  group: z.optional(z.string().min(1).max(groupNameLength.max)).describe('Group the budget applies to'),
  tag: z.optional(budgetTag).describe('Request tag the budget applies to, such as team=search'),
  token: tokenName.describe('Token of this file the budget applies to'),
  organization: z
    .optional(z.string().min(1).max(organizationNameLength.max))
    .describe('Organization the budget applies to'),
  member: z
    .optional(z.string().min(1).max(100))
    .describe('Member the cap applies to, by username; requires `organization`'),
  project: z
    .optional(z.string().min(1).max(projectNameLength.max))
    .describe('Project the budget applies to; requires `organization`'),
  amount: budgetTerms.amount,
  period: budgetTerms.period,
  time_zone: budgetTerms.time_zone,
  enabled: budgetTerms.enabled,
});
export type BudgetEntry = z.output<typeof budget>;

const planTerms = planApi.create.body.shape;

const plan = z.strictObject({
  description: planTerms.description,
  currency: planTerms.currency,
  price: planTerms.price,
  days: planTerms.days,
  windows: planTerms.windows,
  time_zone: planTerms.time_zone,
  models: names.default([]).describe('Models the plan covers; prefixes such as gpt-5* allowed; all if omitted'),
  groups: names.default([]).describe('Groups the plan covers; all if omitted'),
  upgrade_group: planTerms.upgrade_group,
  recurring: planTerms.recurring,
  max_per_user: planTerms.max_per_user,
  enabled: planTerms.enabled,
  sort: planTerms.sort,
  previous_name: previousName,
});

const user = z.strictObject({
  display_name: z.optional(displayName),
  groups: names.default(['default']),
  role: z.enum(['common', 'admin']).default('common'),
  enabled: z.boolean().default(true),
  initial_quota: z.optional(quota).describe('Quota in points for the new account'),
  previous_name: previousName,
});
export type UserEntry = z.output<typeof user>;

const token = z.strictObject({
  user: z.string().min(1).max(100).describe('Name of the user who owns the token'),
  key: z.optional(secretReference).describe('The key, with or without sk-; generated if omitted'),
  models: names.default([]).describe('Allowed models; all if omitted'),
  groups: names.default([]).describe('Subset of the groups of the user; all if omitted'),
  subnets: z.array(z.string()).default([]).describe('Allowed IP addresses and CIDR ranges; all if omitted'),
  dialects: names.default([]),
  endpoints: names.default([]),
  tags: z.record(z.string(), z.string()).default({}).describe('Tags of all requests; clients cannot change them'),
  expires: z.optional(z.iso.date()).describe('UTC day on which the token ends; never if omitted'),
  initial_quota: z.optional(quota).describe('Quota in points when it is created; unlimited if omitted'),
  note: z.string().max(tokenNoteLength.max).default(''),
  enabled: z.boolean().default(true),
  previous_name: previousName,
});
export type TokenEntry = z.output<typeof token>;

const alertTerms = alertRule.shape;

const alert = z.strictObject({
  kind: alertTerms.kind,
  destinations: z.array(nameSchema(alertNameLength.max)).min(1).max(20).describe('Names of destinations'),
  channels: z
    .array(nameSchema(channelNameLength.max))
    .max(100)
    .default([])
    .describe('Names of channels; all if omitted'),
  enabled: alertTerms.enabled,
  threshold: alertTerms.threshold,
  window_minutes: alertTerms.window_minutes,
  least_requests: alertTerms.least_requests,
  per: alertTerms.per,
  tag: alertTerms.tag,
  group: alertTerms.group,
  quiet_from: alertTerms.quiet_from,
  quiet_to: alertTerms.quiet_to,
  time_zone: alertTerms.time_zone,
  repeat_minutes: z
    .optional(z.int().min(0).max(43_200))
    .describe('Repeat interval; the default of the kind if omitted'),
  previous_name: previousName,
});

/** Ratios have their own sections, where each name is a separate object. */
export const fileOptionKeys: readonly StoredOptionKey[] = optionKeys
  .filter(isStoredOption)
  .filter((key) => optionRow(key).control !== 'ratios');

const optionText = z.string().max(200_000);

const optionValues: Readonly<Record<Exclude<OptionControl, 'choice' | 'ratios'>, z.ZodType>> = {
  toggle: z.boolean(),
  integer: z.int(),
  number: z.number(),
  text: optionText,
  address: optionText,
  'long-text': optionText,
  secret: secretReference,
  list: z.union([z.array(z.string().regex(/^[^,]*$/)), optionText], { error: 'must be a list of strings' }),
};

function optionValue(key: OptionKey): z.ZodType {
  const { control, choices = [], label } = optionRow(key);
  const schema =
    control === 'choice' || control === 'ratios' ? z.enum(choices as [string, ...string[]]) : optionValues[control];
  return z.optional(schema).describe(label);
}

const options = z.strictObject(Object.fromEntries(fileOptionKeys.map((key) => [key, optionValue(key)])));

/** Schema of the whole file. Anything missing from the file stays unchanged. */
export const fileSchema = z
  .strictObject({
    version: z.literal(1).default(1),
    include: z
      .optional(z.array(z.string().min(1)))
      .describe('Further files, relative to this one, whose sections are added'),
    variables: z.optional(fileVariables),
    options: z.optional(options),
    groups: z.optional(z.record(nameSchema(200), ratio)).describe('Price ratio of each group'),
    models: z
      .optional(z.record(nameSchema(listedNameLength.max), price))
      .describe('Prices in dollars per million tokens or per unit'),
    channels: z.optional(z.record(nameSchema(channelNameLength.max), channel)),
    users: z.optional(z.record(nameSchema(100), user)),
    tokens: z.optional(z.record(nameSchema(tokenNameLength.max), token)).describe('API tokens of users'),
    organizations: z.optional(z.record(nameSchema(organizationNameLength.max), organizationEntry)),
    aliases: z
      .optional(z.record(nameSchema(listedNameLength.max), z.string().min(1).max(listedNameLength.max)))
      .describe('Model aliases, or patterns with one wildcard, and their target models'),
    routing: z.optional(z.record(nameSchema(200), routingRule)),
    limits: z.optional(z.record(nameSchema(limitNoteLength.max), limit)),
    budgets: z.optional(z.record(nameSchema(budgetNoteLength.max), budget)),
    plans: z
      .optional(z.record(nameSchema(planNameLength.max), plan))
      .describe('Plans that users can buy or be assigned'),
    destinations: z.optional(z.record(nameSchema(alertNameLength.max), destination)).describe('Alert destinations'),
    alerts: z.optional(z.record(nameSchema(alertNameLength.max), alert)).describe('Alert rules'),
    log_exports: z
      .optional(z.record(nameSchema(logExportNameLength.max), logExportEntry))
      .describe('Destinations of the log export'),
  })
  .describe('Desired configuration of a Headgate gateway');
export type FileDocument = z.output<typeof fileSchema>;

/** For completion and validation in editors. */
export const fileJsonSchema = (): object => ({
  ...z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-7', unrepresentable: 'any' }),
  title: 'Headgate configuration file',
});
