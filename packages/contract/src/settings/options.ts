import { isAdmin, isRoot } from '../accounts/roles.ts';
import { defaultGroup, productName } from '../catalog/limits.ts';
import { isPriceOption, type PriceOptionKey } from '../catalog/price.ts';
import {
  address,
  atMost,
  choice,
  count,
  days,
  domains,
  failureRule,
  fieldNames,
  groupRatios,
  longText,
  megabytes,
  modelRatios,
  percent,
  port,
  positiveNumber,
  quotaAmount,
  retries,
  seconds,
  secret,
  silence,
  text,
  toggle,
  tokens,
} from './option-kinds.ts';
import type { OptionFault, OptionRow } from './option-row.ts';
import type { OptionFaultWords } from './option-words.ts';

/**
 * For options through which an admin could sign in to another account, weaken its protection, collect API keys or
 * payloads of users, or lift a rule for admins. Admins may change everything else.
 */
const rootOnly = { changedBy: 'root' } as const;

/** Every option of the gateway. */
export const options = {
  // Reset links and sign-in redirects carry codes to this host.
  ServerAddress: address('general', 'Server address', {
    ...rootOnly,
    hint: 'https://gateway.example.com',
    help: 'Where people reach this gateway; used in links, mails and sign-in redirects',
  }),

  // Sign-in methods, including those of admins.
  PasswordLoginEnabled: toggle('login', 'Allow login with a password', true, rootOnly),
  PasswordRegisterEnabled: toggle('login', 'Allow registration with a password', true),
  RegisterEnabled: toggle('login', 'Allow new users to register', true),
  EmailVerificationEnabled: toggle('login', 'Require a verified email address to register', false, {
    needs: ['SMTPServer'],
  }),
  GitHubOAuthEnabled: toggle('login', 'Allow sign-in with GitHub', false, {
    ...rootOnly,
    needs: ['GitHubClientId', 'GitHubClientSecret'],
  }),
  WeChatAuthEnabled: toggle('login', 'Allow sign-in with WeChat', false, {
    ...rootOnly,
    needs: ['WeChatServerAddress', 'WeChatServerToken'],
  }),
  OidcEnabled: toggle('login', 'Allow sign-in with OpenID Connect', false, {
    ...rootOnly,
    needs: ['OidcClientId', 'OidcWellKnown'],
  }),
  TurnstileCheckEnabled: toggle('login', 'Require the bot check', false, {
    ...rootOnly,
    needs: ['TurnstileSiteKey', 'TurnstileSecretKey'],
  }),

  // A rule for admins.
  AdminSecondFactorEnabled: toggle('login', 'Require a second factor of admins', false, rootOnly),

  EmailDomainRestrictionEnabled: toggle('whitelist', 'Accept only these email domains', false, {
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

  // The operator of the mail server reads reset links and sign-in codes.
  SMTPServer: text('smtp', 'SMTP server', { ...rootOnly, hint: 'smtp.example.com' }),
  SMTPPort: port('smtp', 'SMTP port', 587, { ...rootOnly, hint: '587' }),
  SMTPAccount: text('smtp', 'SMTP account', { ...rootOnly, hint: 'gateway@example.com' }),
  SMTPFrom: text('smtp', 'Sender address', { ...rootOnly, help: 'The account is used when empty' }),
  SMTPToken: secret('smtp', 'SMTP password or token', { ...rootOnly, sentTo: ['SMTPServer', 'SMTPPort'] }),

  // The operator of a sign-in provider vouches for every identity.
  GitHubClientId: text('github', 'GitHub client ID', {
    ...rootOnly,
    help: 'The callback address of the app is /oauth/github below the server address',
  }),
  GitHubClientSecret: secret('github', 'GitHub client secret', rootOnly),
  LarkClientId: text('lark', 'Lark app ID', {
    ...rootOnly,
    help: 'The redirect address of the app is /oauth/lark below the server address',
  }),
  LarkClientSecret: secret('lark', 'Lark app secret', rootOnly),
  WeChatServerAddress: address('wechat', 'WeChat server address', {
    ...rootOnly,
    hint: 'https://wechat.example.com',
  }),
  WeChatServerToken: secret('wechat', 'WeChat server token', { ...rootOnly, sentTo: ['WeChatServerAddress'] }),
  WeChatAccountQRCodeImageURL: text('wechat', 'WeChat account QR code image URL', { ...rootOnly, hint: 'https://' }),
  OidcClientId: text('oidc', 'OpenID Connect client ID', rootOnly),
  OidcWellKnown: address('oidc', 'OpenID Connect discovery address', {
    ...rootOnly,
    hint: 'https://id.example.com/.well-known/openid-configuration',
    help: 'The issuer or its discovery document; redirects go to /oauth/oidc below the server address',
  }),
  OidcClientSecret: secret('oidc', 'OpenID Connect client secret', { ...rootOnly, sentTo: ['OidcWellKnown'] }),
  MessagePusherAddress: address('pusher', 'Message pusher address', {
    hint: 'https://msgpusher.example.com/push/name',
  }),
  MessagePusherToken: secret('pusher', 'Message pusher token', { sentTo: ['MessagePusherAddress'] }),
  // The owner of the keys decides which logins pass.
  TurnstileSiteKey: text('turnstile', 'Turnstile site key', rootOnly),
  TurnstileSecretKey: secret('turnstile', 'Turnstile secret key', rootOnly),

  TopUpLink: address('operation', 'Top-up link', { hint: 'https://', help: 'Where users buy redemption codes' }),
  // Links to the chat app carry the user's API key.
  ChatLink: address('operation', 'Chat link', {
    ...rootOnly,
    hint: 'https://',
    help: 'A chat web app shown on the chat page',
  }),
  StatusPageEnabled: toggle('operation', 'Show a public status page', false, {
    help: 'Anybody may see at /status how available the models are, and how quick; no channels and no numbers of requests',
  }),
  StatusPageGroup: text('operation', 'Group whose models the status page shows', { initial: defaultGroup }),
  QuotaPerUnit: positiveNumber('operation', 'Quota per dollar', 500_000, { step: 0.01 }),
  RetryTimes: retries('operation', 'Retry times', 0, { step: 1, help: 'Other channels tried when one fails' }),
  RetryBudgetPercent: percent('operation', 'Retries for each hundred requests', 20, {
    step: 1,
    help: 'Beyond that a failed request is not tried again; 20 in a minute are always allowed for each model',
  }),
  DisplayInCurrencyEnabled: toggle('operation', 'Show quota in dollars', true),
  DisplayTokenStatEnabled: toggle('operation', 'Billing API reports the quota of the token, not of the user', true),
  ApproximateTokenEnabled: toggle('operation', 'Estimate token counts to save CPU', false),

  LogConsumeEnabled: toggle('log', 'Keep a log row for every request', true),
  // Payloads are users' prompts and responses.
  KeepBodies: choice('log', 'Who may have requests and answers kept', ['off', 'admins', 'owners'], {
    ...rootOnly,
    help: 'Sealed, for tokens and users that it is set for, and for as long as is set there; without log rows nothing is kept',
  }),
  KeptBodiesMegabytes: megabytes('log', 'Most room for kept requests and answers, in MB', 1024, {
    ...rootOnly,
    help: 'When it is used up nothing more is kept until something expires',
  }),
  StoredResponseDays: days('log', 'Days to store responses', 30, {
    help: 'Responses API on channels without it: responses are stored, sealed, so that clients can continue them; a lower value also deletes older ones; 0: none are stored',
  }),
  StoredResponseMegabytes: megabytes('log', 'Stored responses per user, in MB', 100, {
    help: "When a user has more, the user's oldest ones are deleted",
  }),
  StoredResponseTotalMegabytes: megabytes('log', 'Stored responses of all users, in MB', 4096, {
    help: 'When it is used up, the oldest ones are deleted within a minute; until then no more are stored',
  }),

  ChannelDisableThreshold: seconds('monitor', 'Longest response time in seconds', 5, {
    help: 'A slower channel is disabled by the channel test when automatic disabling is on',
  }),
  UpstreamFirstByteSeconds: silence('monitor', 'Longest wait for an answer to begin, in seconds', 300, {
    help: 'A channel that says nothing for so long is given up; a whole answer begins when it is finished',
  }),
  UpstreamIdleSeconds: silence('monitor', 'Longest silence within an answer, in seconds', 120, {
    help: 'A channel may have limits of its own',
  }),
  QuotaRemindThreshold: quotaAmount('monitor', 'Quota reminder threshold', 1000, {
    help: 'Users who fall below it get one mail; 0: nobody does',
  }),
  AutomaticDisableChannelEnabled: toggle('monitor', 'Disable channels automatically when they fail', false),
  AutomaticEnableChannelEnabled: toggle('monitor', 'Enable channels automatically when they recover', false),
  KeyRejectedRule: failureRule('monitor', 'Rejected key: disable after', {
    initial: '1 of 1',
    help: 'Such as 3 of 5 requests, or 3 in 10m; 0: never. Holds while automatic disabling is on',
  }),
  EmptyAccountRule: failureRule('monitor', 'Empty account: disable after', {
    initial: '1 of 1',
    help: 'Likewise',
  }),
  ModelGoneRule: failureRule('monitor', 'Model not found: pause the model after', {
    initial: '3 of 5',
    help: 'Only this model of the channel, until it answers a test; where no other channel has it, it is used all the same',
  }),
  OverloadRule: failureRule('monitor', 'Overloaded or broken: pause the model after', {
    initial: '5 of 10',
    help: 'Server errors, timeouts and answers that cannot be read; the whole channel when none of its models answers',
  }),

  QuotaForNewUser: quotaAmount('quota', 'Initial quota of new users', 0),
  PreConsumedQuota: quotaAmount('quota', 'Quota reserved per request', 500),
  QuotaForInviter: quotaAmount('quota', 'Reward for inviting a user', 0),
  QuotaForInvitee: quotaAmount('quota', 'Reward for using an invite code', 0),
  LongestAnswer: tokens('quota', 'Longest answer in tokens', 131_072, {
    help: 'Held for a request that sets no limit, or all its user has; lower it when no model answers at such length',
  }),
  UserConcurrencyLimit: atMost('quota', 'Most requests under way per user', 100, { help: '0: no limit' }),
  TokenConcurrencyLimit: atMost('quota', 'Most requests under way per token', 100, { help: '0: no limit' }),
  // Some of these fields name files that other users have at a provider.
  UnpricedFieldsAllowed: fieldNames('quota', 'Request fields let through without a price', {
    ...rootOnly,
    help: 'Such as service_tier, tools or web_search_options: what providers charge for them is yours to pay',
  }),
  TokensPerUserLimit: count('quota', 'Tokens per user', 1000, {
    help: 'Maximum number of API tokens of one user. A lower value keeps existing tokens and blocks new ones.',
  }),
  RedemptionBatchLimit: count('quota', 'Most redemption codes made at once', 100),

  ModelRatio: modelRatios('ratios', 'Model ratio', {}),
  CompletionRatio: modelRatios('ratios', 'Completion ratio', {}),
  CacheReadRatio: modelRatios('ratios', 'Cached prompt ratio', {}),
  CacheWriteRatio: modelRatios('ratios', 'Cache writing ratio', {}),
  CacheLongWriteRatio: modelRatios('ratios', 'One-hour cache writing ratio', {}),
  ReasoningRatio: modelRatios('ratios', 'Reasoning ratio', {}),
  ModelsWithoutPrice: choice('ratios', 'Models without a price', ['refuse', 'charge'], {
    help: 'Set prices on the Prices page; until then such a model is refused by name, or costs $60 per million tokens',
  }),
  GroupRatio: groupRatios('ratios', 'Group ratio', { default: 1, vip: 1, svip: 1 }),

  SystemName: text('personal', 'System name', { initial: productName }),
  Theme: choice('personal', 'Theme', ['default', 'light', 'dark']),
  Logo: text('personal', 'Logo URL', { hint: 'https://' }),
  Notice: longText('content', 'Notice', { help: 'Markdown or HTML; shown once to every visitor' }),
  HomePageContent: longText('content', 'Home page content', {
    help: 'Markdown, HTML, or an https:// address to embed',
  }),
  About: longText('content', 'About', { help: 'Markdown, HTML, or an https:// address to embed' }),
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

/** Whether a user may change an option. */
export const mayChangeOption = (user: { readonly role: number } | undefined, key: OptionKey): boolean =>
  optionRow(key).changedBy === 'root' ? isRoot(user) : isAdmin(user);

/** The row of a key without its value type, for code that treats all options alike. */
export const optionRow = (key: OptionKey): OptionRow => options[key] as OptionRow;

export const defaultOptions: OptionValues = Object.fromEntries(
  optionKeys.map((key) => [key, options[key].initial]),
) as OptionValues;

/** Validation error of a text for an option; undefined if it is valid. */
export function optionFault(key: OptionKey, text: string): OptionFault | undefined {
  const issue = optionRow(key).schema.safeParse(text).error?.issues[0];
  if (!issue) return undefined;
  const values = issue.code === 'custom' ? (issue.params as OptionFault['values'] | undefined) : undefined;
  return { words: issue.message as OptionFaultWords, values: values ?? {} };
}
