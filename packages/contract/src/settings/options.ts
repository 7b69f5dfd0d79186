import { isAdmin, isRoot } from '../accounts/roles.ts';
import { defaultGroup, passwordLength, productName } from '../catalog/limits.ts';
import { isPriceOption, type PriceOptionKey } from '../catalog/price.ts';
import { currencyNames } from '../payments/currencies.ts';
import { consolePresets } from './console-preset.ts';
import {
  address,
  choice,
  concurrencyLimit,
  count,
  days,
  domains,
  failureRule,
  fieldNames,
  groupRatios,
  longText,
  megabytes,
  modelRatios,
  passwordMaximum,
  percent,
  percentOfTotal,
  port,
  positiveNumber,
  quotaAmount,
  retries,
  seconds,
  secret,
  tagKeys,
  taxRate,
  text,
  timeout,
  toggle,
  tokens,
  topUpAmounts,
} from './option-kinds.ts';
import type { OptionErrorMessage } from './option-messages.ts';
import type { OptionError, OptionRow } from './option-row.ts';
import { priceHours } from './price-hours-option.ts';
import { tagRules } from './tag-rules.ts';

/**
 * Role for options with which an admin could sign in to another account, weaken its protection, collect users' API keys
 * or payloads, or lift restrictions on admins. Admins may change all other options.
 */
const rootOnly = { changedBy: 'root' } as const;

/** Every option of the gateway. */
export const options = {
  // Reset links and sign-in redirects carry codes to this host.
  ServerAddress: address('general', 'Server address', {
    ...rootOnly,
    hint: 'https://gateway.example.com',
    help: 'Public URL of this gateway, used in links, emails and login redirects.',
  }),

  // Sign-in methods, including those of admins.
  PasswordLoginEnabled: toggle('login', 'Allow password login', true, rootOnly),
  PasswordRegisterEnabled: toggle('login', 'Allow password registration', true),
  PasswordMaxLength: passwordMaximum('login', 'Maximum password length', passwordLength.max, {
    help: 'For new passwords, in characters. The minimum is 8.',
  }),
  RegisterEnabled: toggle('login', 'Allow new users to register', true),
  OrganizationCreationEnabled: toggle('login', 'Allow users to create organizations', true),
  EmailVerificationEnabled: toggle('login', 'Require email verification to register', false, {
    needs: ['SMTPServer'],
  }),
  GitHubOAuthEnabled: toggle('login', 'Allow login with GitHub', false, {
    ...rootOnly,
    needs: ['GitHubClientId', 'GitHubClientSecret'],
  }),
  WeChatAuthEnabled: toggle('login', 'Allow login with WeChat', false, {
    ...rootOnly,
    needs: ['WeChatServerAddress', 'WeChatServerToken'],
  }),
  OidcEnabled: toggle('login', 'Allow login with OpenID Connect', false, {
    ...rootOnly,
    needs: ['OidcClientId', 'OidcWellKnown'],
  }),
  TurnstileCheckEnabled: toggle('login', 'Require the bot check', false, {
    ...rootOnly,
    needs: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  }),

  // Restricts admins, so an admin must not be able to lift it.
  AdminSecondFactorEnabled: toggle('login', 'Require a second factor for admins', false, rootOnly),

  EmailDomainRestrictionEnabled: toggle('whitelist', 'Restrict email domains', false, {
    needs: ['EmailDomainWhitelist'],
  }),
  EmailDomainWhitelist: domains('whitelist', 'Allowed email domains', [
    'gmail.com',
    '163.com',
    '126.com',
    'qq.com',
    'outlook.com',
    'hotmail.com',
    'icloud.com',
    'yahoo.com',
    'foxmail.com',
  ]),

  // The operator of the mail server can read reset links and sign-in codes.
  SMTPServer: text('smtp', 'SMTP server', { ...rootOnly, hint: 'smtp.example.com' }),
  SMTPPort: port('smtp', 'SMTP port', 587, { ...rootOnly, hint: '587' }),
  SMTPAccount: text('smtp', 'SMTP account', { ...rootOnly, hint: 'gateway@example.com' }),
  SMTPFrom: text('smtp', 'Sender address', { ...rootOnly, help: 'Leave empty to use the SMTP account.' }),
  SMTPToken: secret('smtp', 'SMTP password or token', { ...rootOnly, sentTo: ['SMTPServer', 'SMTPPort'] }),

  // The operator of a sign-in provider can sign in as any of its identities.
  GitHubClientId: text('github', 'GitHub client ID', {
    ...rootOnly,
    help: 'Callback URL of the app: /oauth/github on the server address.',
  }),
  GitHubClientSecret: secret('github', 'GitHub client secret', rootOnly),
  LarkClientId: text('lark', 'Lark app ID', {
    ...rootOnly,
    help: 'Redirect URL of the app: /oauth/lark on the server address.',
  }),
  LarkClientSecret: secret('lark', 'Lark app secret', rootOnly),
  WeChatServerAddress: address('wechat', 'WeChat server address', {
    ...rootOnly,
    hint: 'https://wechat.example.com',
  }),
  WeChatServerToken: secret('wechat', 'WeChat server token', { ...rootOnly, sentTo: ['WeChatServerAddress'] }),
  WeChatAccountQRCodeImageURL: text('wechat', 'WeChat account QR code image URL', { ...rootOnly, hint: 'https://' }),
  OidcClientId: text('oidc', 'OpenID Connect client ID', rootOnly),
  OidcWellKnown: address('oidc', 'OpenID Connect discovery URL', {
    ...rootOnly,
    hint: 'https://id.example.com/.well-known/openid-configuration',
    help: 'URL of the issuer or its discovery document. Redirect URI: /oauth/oidc on the server address.',
  }),
  OidcClientSecret: secret('oidc', 'OpenID Connect client secret', { ...rootOnly, sentTo: ['OidcWellKnown'] }),
  MessagePusherAddress: address('pusher', 'Message pusher address', {
    hint: 'https://msgpusher.example.com/push/name',
  }),
  MessagePusherToken: secret('pusher', 'Message pusher token', { sentTo: ['MessagePusherAddress'] }),
  // The owner of the keys decides which logins pass the bot check.
  TurnstileSiteKey: text('turnstile', 'Turnstile site key', rootOnly),
  TurnstileSecretKey: secret('turnstile', 'Turnstile secret key', rootOnly),

  TopUpLink: address('operation', 'Top-up link', { hint: 'https://', help: 'Page where users buy redemption codes.' }),
  // Links to the chat app contain the user's API key.
  ChatLink: address('operation', 'Chat link', {
    ...rootOnly,
    hint: 'https://',
    help: 'Chat web app embedded in the Chat page.',
  }),
  StatusPageEnabled: toggle('operation', 'Show a public status page', false, {
    help: 'Shows model availability and speed to everyone at /status, without channels or request counts.',
  }),
  StatusPageGroup: text('operation', 'Status page group', { initial: defaultGroup }),
  ModelCatalogEnabled: toggle('operation', 'Show a public model catalog', false, {
    help: 'Shows models with prices to everyone at /catalog, without channels.',
  }),
  ModelCatalogGroup: text('operation', 'Model catalog group', { initial: defaultGroup }),
  QuotaPerUnit: positiveNumber('operation', 'Quota per dollar', 500_000, { step: 0.01 }),
  PriceListUrl: address('operation', 'Price list URL', {
    initial: 'https://models.dev/api.json',
    hint: 'https://models.dev/api.json',
    help: "Published prices: models.dev, LiteLLM's price map, or /api/pricing of another gateway.",
  }),
  PriceListDays: days('operation', 'Update prices every (days)', 0, {
    step: 1,
    help: 'Applies small price changes from the price list, but never changes prices that an admin set. 0 turns updates off.',
  }),
  PriceListMaxPercent: percent('operation', 'Largest automatic price change (%)', 10, {
    step: 1,
    help: 'Larger changes, new prices and prices of 0 wait for an admin on the Prices page.',
  }),
  RetryTimes: retries('operation', 'Retry times', 0, {
    step: 1,
    help: 'Number of other channels to try when one fails. 0 turns retries off.',
  }),
  RetryBudgetPercent: percent('operation', 'Retry budget (%)', 20, {
    step: 1,
    help: 'Retries per 100 requests. Beyond this, failed requests are not retried; 20 retries per model per minute are always allowed.',
  }),
  ReasoningSuffixesEnabled: toggle('operation', 'Reasoning suffixes in model names', false, {
    help: 'Accepts model names with a reasoning suffix, such as gpt-5-high or claude-sonnet-4-5-thinking. The base model serves them at its price.',
  }),
  ReasoningSuffixListEnabled: toggle('operation', 'List names with reasoning suffixes', false, {
    help: 'Model lists include the suffixed names of reasoning models, if the suffixes are on.',
  }),
  TagRules: tagRules('operation', 'Rules of channel tags'),
  DisplayInCurrencyEnabled: toggle('operation', 'Show quota in dollars', true),
  DisplayTokenStatEnabled: toggle('operation', 'Billing API reports token quota instead of user quota', true),
  EmptyResponseRetryEnabled: toggle('operation', 'Retry empty responses', false, {
    help: 'Responses without text, tool calls, images, audio or reasoning cost nothing, and the next channel is tried.',
  }),
  ApproximateTokenEnabled: toggle('operation', 'Estimate token counts to save CPU', false),

  LogConsumeEnabled: toggle('log', 'Log every request', true),
  // Payloads are users' prompts and responses.
  KeepBodies: choice('log', 'Payload logging', ['off', 'admins', 'owners'], {
    ...rootOnly,
    help: 'Who can turn on payload logging for tokens and users. Payloads are stored encrypted; request logging must be on.',
  }),
  KeptBodiesMegabytes: megabytes('log', 'Payload storage limit (MB)', 1024, {
    ...rootOnly,
    help: 'When full, new payloads are not stored until older ones expire.',
  }),
  TagKeys: tagKeys('log', 'Request tag keys', {
    hint: 'team, feature, end_user',
    help: 'Keys of the tags that clients and API tokens may set on requests. end_user records the user in the request body. Empty: requests have no tags.',
  }),
  StoredResponseDays: days('log', 'Response retention (days)', 30, {
    help: 'Stores responses encrypted so that Responses API clients can continue conversations on channels without native support. Lowering it deletes older responses. 0 stores none.',
  }),
  StoredResponseMegabytes: megabytes('log', 'Response storage per user (MB)', 100, {
    help: 'When exceeded, the least recently used responses of the user are deleted.',
  }),
  StoredResponseTotalMegabytes: megabytes('log', 'Total response storage (MB)', 4096, {
    help: 'When full, the least recently used responses are deleted within a minute; until then new ones are not stored.',
  }),

  ChannelDisableThreshold: seconds('monitor', 'Max response time (seconds)', 5, {
    help: 'Channel tests disable slower channels while automatic disabling is on.',
  }),
  UpstreamFirstByteSeconds: timeout('monitor', 'First-byte timeout (seconds)', 300, {
    help: 'Gives up on a channel that sends nothing for this long. A non-streaming response sends its first byte when it is complete.',
  }),
  UpstreamIdleSeconds: timeout('monitor', 'Idle timeout (seconds)', 120, {
    help: 'Ends a response that pauses for this long. Channels can override both timeouts.',
  }),
  QuotaRemindThreshold: quotaAmount('monitor', 'Quota reminder threshold', 1000, {
    help: 'Users are emailed once when their quota falls below this. 0 turns reminders off.',
  }),
  AutomaticDisableChannelEnabled: toggle('monitor', 'Disable channels automatically when they fail', false),
  AutomaticEnableChannelEnabled: toggle('monitor', 'Enable channels automatically when they recover', false),
  KeyRejectedRule: failureRule('monitor', 'Rejected key: disable after', {
    initial: '1 of 1',
    help: 'For example 3 of 5 (requests) or 3 in 10m (minutes). 0 means never. Applies while automatic disabling is on.',
  }),
  EmptyAccountRule: failureRule('monitor', 'No balance: disable after', {
    initial: '1 of 1',
    help: 'Same format as above.',
  }),
  ModelGoneRule: failureRule('monitor', 'Model not found: pause model after', {
    initial: '3 of 5',
    help: 'Pauses only this model on the channel until a test passes. It stays in use if no other channel offers it.',
  }),
  OverloadRule: failureRule('monitor', 'Overloaded or failing: pause model after', {
    initial: '5 of 10',
    help: 'Counts server errors, timeouts and invalid responses. Pauses the whole channel if none of its models respond.',
  }),

  QuotaForNewUser: quotaAmount('quota', 'New-user initial quota', 0),
  PreConsumedQuota: quotaAmount('quota', 'Quota reserved per request', 500),
  QuotaForInviter: quotaAmount('quota', 'Inviter reward', 0),
  QuotaForInvitee: quotaAmount('quota', 'Invitee reward', 0),
  CheckInEnabled: toggle('quota', 'Daily check-in', false, {
    help: 'Users can add a random amount of quota once per day (UTC) on the Top-up page.',
  }),
  CheckInMinQuota: quotaAmount('quota', 'Check-in minimum', 1000),
  CheckInMaxQuota: quotaAmount('quota', 'Check-in maximum', 10_000),
  LongestAnswer: tokens('quota', 'Max output tokens', 131_072, {
    help: "Reserved when a request sets no max tokens, capped at the user's balance. Lower it if your models never produce this many tokens.",
  }),
  UserConcurrencyLimit: concurrencyLimit('quota', 'Concurrent requests per user', 100, { help: '0 means no limit.' }),
  TokenConcurrencyLimit: concurrencyLimit('quota', 'Concurrent requests per token', 100, { help: '0 means no limit.' }),
  // Some of these fields reference files that other users have at a provider.
  UnpricedFieldsAllowed: fieldNames('quota', 'Allowed unpriced request fields', {
    ...rootOnly,
    help: 'For example service_tier, tools or web_search_options. You pay any extra provider charges.',
  }),
  TokensPerUserLimit: count('quota', 'API tokens per user', 1000, {
    help: 'Lowering it keeps existing tokens but blocks new ones.',
  }),
  RedemptionBatchLimit: count('quota', 'Redemption codes per batch', 100),

  TopUpAmounts: topUpAmounts('payment', 'Top-up amounts', {
    initial: '5, 10, 20, 50, 100',
    hint: '5, 20, 100 +10%',
    help: 'Dollars of quota that users can buy, each with an optional bonus.',
  }),
  TopUpGroupRatio: groupRatios('payment', 'Top-up price ratio per group', {}),
  ReferralSharePercent: percentOfTotal('payment', 'Referral share (%)', 0, {
    step: 1,
    help: 'Percentage of the quota bought by invited users, excluding bonuses, that their inviter receives. 0 means none.',
  }),
  ReferralShareFixed: quotaAmount('payment', 'Referral share per order', 0, {
    help: 'Added to the percentage of each order. A share never exceeds the bought quota.',
  }),
  ReferralFirstOrderOnlyEnabled: toggle('payment', 'Pay referrals on the first order only', false),
  ReferralShareCap: quotaAmount('payment', 'Max referral share per invited user', 0, { help: '0 means no limit.' }),
  ReferralWaitDays: days('payment', 'Referral waiting period (days)', 14, {
    step: 1,
    help: 'Refunds and disputes during this time reduce the share.',
  }),
  ReferralPayoutMinimum: quotaAmount('payment', 'Minimum referral payout', 0, {
    help: 'Users can request payouts of at least this amount. 0 means no payouts.',
  }),
  // The owner of these accounts receives the payments, and their secrets prove that an order was paid.
  StripeEnabled: toggle('payment', 'Accept payments with Stripe', false, {
    ...rootOnly,
    needs: ['StripeSecretKey', 'StripeWebhookSecret'],
  }),
  StripeSecretKey: secret('payment', 'Stripe secret key', rootOnly),
  StripeWebhookSecret: secret('payment', 'Stripe webhook secret', {
    ...rootOnly,
    help: 'While you rotate the secret, enter both, separated by a comma. Webhook URL: /api/payment/callback/stripe on the server address.',
  }),
  StripeCurrency: choice('payment', 'Stripe currency', currencyNames, rootOnly),
  StripeUnitPrice: positiveNumber('payment', 'Stripe price per dollar of quota', 1, {
    ...rootOnly,
    step: 0.01,
    help: 'In the Stripe currency.',
  }),
  StripeInvoiceEnabled: toggle('payment', 'Create Stripe invoices', false, rootOnly),
  EpayEnabled: toggle('payment', 'Accept payments with Epay', false, {
    ...rootOnly,
    needs: ['EpayAddress', 'EpayMerchantId', 'EpayMerchantKey'],
  }),
  EpayAddress: address('payment', 'Epay address', {
    ...rootOnly,
    hint: 'https://pay.example.com',
    help: 'Folder that contains submit.php. Notification URL: /api/payment/callback/epay on the server address.',
  }),
  EpayMerchantId: text('payment', 'Epay merchant ID', rootOnly),
  EpayMerchantKey: secret('payment', 'Epay merchant key', { ...rootOnly, sentTo: ['EpayAddress'] }),
  EpayMethods: fieldNames('payment', 'Epay payment methods', {
    ...rootOnly,
    hint: 'alipay, wxpay',
    help: 'Leave empty to let users choose on the Epay page.',
  }),
  EpayUnitPrice: positiveNumber('payment', 'Epay price per dollar of quota', 7.2, {
    ...rootOnly,
    step: 0.01,
    help: 'In yuan.',
  }),
  InvoiceSeller: text('payment', 'Invoice seller', { ...rootOnly, help: 'Company name on receipts.' }),
  InvoiceAddress: text('payment', 'Invoice seller address', rootOnly),
  InvoiceTaxNumber: text('payment', 'Invoice tax number', rootOnly),
  InvoiceTaxLabel: text('payment', 'Invoice tax label', { ...rootOnly, initial: 'VAT' }),
  InvoiceTaxRate: taxRate('payment', 'Invoice tax rate (%)', 0, {
    ...rootOnly,
    step: 0.01,
    help: 'Prices include this tax. Receipts show net, tax and gross amounts.',
  }),
  InvoiceNumbersEnabled: toggle('payment', 'Assign invoice numbers', false, {
    ...rootOnly,
    help: 'Numbers credited orders consecutively.',
  }),
  InvoiceNumberPrefix: text('payment', 'Invoice number prefix', {
    ...rootOnly,
    hint: 'RE-2026',
    help: 'Numbering starts at 1 for each prefix.',
  }),
  CreditNoteNumberPrefix: text('payment', 'Credit note number prefix', {
    ...rootOnly,
    initial: 'CN',
    hint: 'CN-2026',
    help: 'Refunds of orders with an invoice create credit notes. Numbering starts at 1 for each prefix.',
  }),

  ModelRatio: modelRatios('ratios', 'Model ratio', {}),
  CompletionRatio: modelRatios('ratios', 'Completion ratio', {}),
  CacheReadRatio: modelRatios('ratios', 'Cached input ratio', {}),
  CacheWriteRatio: modelRatios('ratios', 'Cache write ratio', {}),
  CacheLongWriteRatio: modelRatios('ratios', 'One-hour cache write ratio', {}),
  ReasoningRatio: modelRatios('ratios', 'Reasoning ratio', {}),
  AudioRatio: modelRatios('ratios', 'Audio input ratio', {}),
  CachedAudioRatio: modelRatios('ratios', 'Cached audio ratio', {}),
  AudioOutputRatio: modelRatios('ratios', 'Audio output ratio', {}),
  ImageRatio: modelRatios('ratios', 'Image input ratio', {}),
  CachedImageRatio: modelRatios('ratios', 'Cached image ratio', {}),
  ImageOutputRatio: modelRatios('ratios', 'Image output ratio', {}),
  FlexRatio: modelRatios('ratios', 'Flex tier ratio', {}),
  PriorityRatio: modelRatios('ratios', 'Priority tier ratio', {}),
  CallRatio: modelRatios('ratios', 'Request ratio', {}),
  PriceHours: priceHours('ratios', 'Price hours'),
  ModelsWithoutPrice: choice('ratios', 'Models without a price', ['refuse', 'charge'], {
    help: 'Requests for models without a price are rejected or charged $60 per million tokens. Set prices on the Prices page.',
  }),
  GroupRatio: groupRatios('ratios', 'Group ratio', { default: 1, vip: 1, svip: 1 }),

  SystemName: text('personal', 'System name', { initial: productName }),
  Theme: choice('personal', 'Theme', ['default', 'light', 'dark']),
  ConsolePreset: choice('personal', 'Console preset', consolePresets, {
    help: 'Hides pages and settings that you do not need. Links and search still open them.',
  }),
  Logo: text('personal', 'Logo URL', { hint: 'https://' }),
  Notice: longText('content', 'Notice', { help: 'Markdown or HTML, shown once to each visitor.' }),
  HomePageContent: longText('content', 'Home page content', {
    help: 'Markdown, HTML, or an https:// URL to embed.',
  }),
  About: longText('content', 'About', { help: 'Markdown, HTML, or an https:// URL to embed.' }),
  Footer: longText('content', 'Footer', { help: 'HTML' }),
} as const satisfies Record<string, OptionRow>;

export type OptionKey = keyof typeof options;

export type OptionValues = { readonly [K in OptionKey]: (typeof options)[K]['initial'] };

/** Options stored in the options table. The others are views of the price table. */
export type StoredOptionKey = Exclude<OptionKey, PriceOptionKey>;
export type StoredOptionValues = Pick<OptionValues, StoredOptionKey>;

export const optionKeys = Object.keys(options) as OptionKey[];

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(options, key);

export const isStoredOption = (key: string): key is StoredOptionKey => isOptionKey(key) && !isPriceOption(key);

/** True if a user may change an option. */
export const canChangeOption = (user: { readonly role: number } | undefined, key: OptionKey): boolean =>
  optionRow(key).changedBy === 'root' ? isRoot(user) : isAdmin(user);

/** The row of a key without its value type, for code that treats all options alike. */
export const optionRow = (key: OptionKey): OptionRow => options[key] as OptionRow;

export const defaultOptions: OptionValues = Object.fromEntries(
  optionKeys.map((key) => [key, options[key].initial]),
) as OptionValues;

/** Validation error for an option value; undefined if it is valid. */
export function optionError(key: OptionKey, text: string): OptionError | undefined {
  const issue = optionRow(key).schema.safeParse(text).error?.issues[0];
  if (!issue) return undefined;
  const values = issue.code === 'custom' ? (issue.params as OptionError['values'] | undefined) : undefined;
  return { message: issue.message as OptionErrorMessage, values: values ?? {} };
}
