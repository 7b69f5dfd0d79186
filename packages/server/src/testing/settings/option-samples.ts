import type { OptionKey } from '@headgate/contract';

interface OptionSample {
  readonly good: string;
  /** Stored form, if it differs from the sent one. */
  readonly kept?: string;
  readonly bad: string;
  readonly complaint: string;
}

const oneLine = 'must not contain line breaks or control characters';
const httpAddress = 'must start with http:// or https:// and contain no blanks';

const toggle = (label: string, good: 'true' | 'false'): OptionSample => ({
  good,
  bad: 'yes',
  complaint: `${label} must be true or false`,
});
const text = (label: string, good: string): OptionSample => ({
  good: ` ${good} `,
  kept: good,
  bad: 'a\nb',
  complaint: `${label} ${oneLine}`,
});
const address = (label: string): OptionSample => ({
  good: ' https://good.example/ ',
  kept: 'https://good.example',
  bad: 'javascript:alert(1)',
  complaint: `${label} ${httpAddress}`,
});
const page = (label: string): OptionSample => ({
  good: '# Title\n<b>x</b>  \n',
  bad: 'x'.repeat(200_001),
  complaint: `${label} may have at most 200000 characters`,
});
const quota = (label: string): OptionSample => ({
  good: ' 1234 ',
  kept: '1234',
  bad: '-1',
  complaint: `${label} must be a whole number from 0 to 1000000000000000`,
});
const ratios = (label: string): OptionSample => ({
  good: '{"gpt-4":15}',
  kept: '{\n  "gpt-4": 15\n}',
  bad: '{"gpt-4":15,}',
  complaint: `${label} is not a valid JSON string`,
});

const rule = (label: string): OptionSample => ({
  good: ' 2  of 7 ',
  kept: '2 of 7',
  bad: '7 of 2',
  complaint: `${label} must be such as 3 of 5, 3 in 10m, or 0; nothing beyond 100 requests or a day`,
});

/** A valid and an invalid text for each option, with the expected error. */
export const optionSamples: Readonly<Record<OptionKey, OptionSample>> = {
  ServerAddress: address('Server address'),
  PasswordLoginEnabled: toggle('Allow login with a password', 'false'),
  PasswordRegisterEnabled: toggle('Allow registration with a password', 'false'),
  RegisterEnabled: toggle('Allow new users to register', 'false'),
  EmailVerificationEnabled: toggle('Require a verified email address to register', 'true'),
  GitHubOAuthEnabled: toggle('Allow sign-in with GitHub', 'true'),
  WeChatAuthEnabled: toggle('Allow sign-in with WeChat', 'true'),
  OidcEnabled: toggle('Allow sign-in with OpenID Connect', 'true'),
  TurnstileCheckEnabled: toggle('Require the bot check', 'true'),
  StatusPageEnabled: toggle('Show a public status page', 'true'),
  StatusPageGroup: text('Group whose models the status page shows', 'vip'),
  AdminSecondFactorEnabled: toggle('Require a second factor of admins', 'true'),
  EmailDomainRestrictionEnabled: toggle('Accept only these email domains', 'true'),
  EmailDomainWhitelist: {
    good: ' A.example,, b.example,a.example ',
    kept: 'a.example,b.example',
    bad: 'a.example,user@b.example',
    complaint: 'Allowed email domains: user@b.example is not a domain',
  },
  SMTPServer: text('SMTP server', 'smtp.good.example'),
  SMTPPort: { good: '465', bad: '65536', complaint: 'SMTP port must be a whole number from 1 to 65535' },
  SMTPAccount: text('SMTP account', 'gateway'),
  SMTPFrom: text('Sender address', 'gateway@good.example'),
  SMTPToken: text('SMTP password or token', 'marker-smtp'),
  GitHubClientId: text('GitHub client ID', 'client'),
  GitHubClientSecret: text('GitHub client secret', 'marker-github'),
  LarkClientId: text('Lark app ID', 'lark'),
  LarkClientSecret: text('Lark app secret', 'marker-lark'),
  WeChatServerAddress: address('WeChat server address'),
  WeChatServerToken: text('WeChat server token', 'marker-wechat'),
  WeChatAccountQRCodeImageURL: text('WeChat account QR code image URL', 'https://good.example/qr.png'),
  OidcClientId: text('OpenID Connect client ID', 'oidc'),
  OidcClientSecret: text('OpenID Connect client secret', 'marker-oidc'),
  OidcWellKnown: address('OpenID Connect discovery address'),
  MessagePusherAddress: address('Message pusher address'),
  MessagePusherToken: text('Message pusher token', 'marker-pusher'),
  TurnstileSiteKey: text('Turnstile site key', 'site'),
  TurnstileSecretKey: text('Turnstile secret key', 'marker-turnstile'),
  TopUpLink: address('Top-up link'),
  ChatLink: address('Chat link'),
  QuotaPerUnit: {
    good: '0.5',
    bad: '0',
    complaint: 'Quota per dollar must be a number from 0.000001 to 1000000000000000',
  },
  RetryTimes: { good: '3', bad: '1.5', complaint: 'Retry times must be a whole number from 0 to 100' },
  RetryBudgetPercent: {
    good: '30',
    bad: '1.5',
    complaint: 'Retries for each hundred requests must be a whole number from 0 to 1000',
  },
  DisplayInCurrencyEnabled: toggle('Show quota in dollars', 'false'),
  DisplayTokenStatEnabled: toggle('Billing API reports the quota of the token, not of the user', 'false'),
  ApproximateTokenEnabled: toggle('Estimate token counts to save CPU', 'true'),
  LogConsumeEnabled: toggle('Keep a log row for every request', 'false'),
  KeepBodies: {
    good: 'owners',
    bad: 'everybody',
    complaint: 'Who may have requests and answers kept must be one of off, admins, owners',
  },
  StoredResponseDays: {
    good: '7',
    bad: '-1',
    complaint: 'Days to store responses must be a whole number from 0 to 3650',
  },
  StoredResponseMegabytes: {
    good: '20',
    bad: '0',
    complaint: 'Stored responses per user, in MB must be a whole number from 1 to 1000000',
  },
  StoredResponseTotalMegabytes: {
    good: '40',
    bad: '0',
    complaint: 'Stored responses of all users, in MB must be a whole number from 1 to 1000000',
  },
  KeptBodiesMegabytes: {
    good: '50',
    bad: '0',
    complaint: 'Most room for kept requests and answers, in MB must be a whole number from 1 to 1000000',
  },
  ChannelDisableThreshold: {
    good: '7.5',
    bad: '-0.1',
    complaint: 'Longest response time in seconds must be a number from 0 to 86400',
  },
  UpstreamFirstByteSeconds: {
    good: '1800',
    bad: '0',
    complaint: 'Longest wait for an answer to begin, in seconds must be a whole number from 1 to 86400',
  },
  UpstreamIdleSeconds: {
    good: '60',
    bad: '86401',
    complaint: 'Longest silence within an answer, in seconds must be a whole number from 1 to 86400',
  },
  QuotaRemindThreshold: quota('Quota reminder threshold'),
  AutomaticDisableChannelEnabled: toggle('Disable channels automatically when they fail', 'true'),
  AutomaticEnableChannelEnabled: toggle('Enable channels automatically when they recover', 'true'),
  KeyRejectedRule: rule('Rejected key: disable after'),
  EmptyAccountRule: rule('Empty account: disable after'),
  ModelGoneRule: rule('Model not found: pause the model after'),
  OverloadRule: rule('Overloaded or broken: pause the model after'),
  QuotaForNewUser: quota('Initial quota of new users'),
  PreConsumedQuota: quota('Quota reserved per request'),
  LongestAnswer: {
    good: '16384',
    bad: '0',
    complaint: 'Longest answer in tokens must be a whole number from 1 to 10000000',
  },
  UserConcurrencyLimit: {
    good: '7',
    bad: '-1',
    complaint: 'Most requests under way per user must be a whole number from 0 to 1000000',
  },
  TokenConcurrencyLimit: {
    good: '7',
    bad: '1.5',
    complaint: 'Most requests under way per token must be a whole number from 0 to 1000000',
  },
  UnpricedFieldsAllowed: {
    good: ' service_tier,, chatId,service_tier ',
    kept: 'service_tier,chatId',
    bad: 'service_tier,extra body',
    complaint: 'Request fields let through without a price: extra body is not the name of a field',
  },
  QuotaForInviter: quota('Reward for inviting a user'),
  QuotaForInvitee: quota('Reward for using an invite code'),
  TokensPerUserLimit: {
    good: '7',
    bad: '10001',
    complaint: 'Tokens per user must be a whole number from 1 to 10000',
  },
  RedemptionBatchLimit: {
    good: '5',
    bad: '0',
    complaint: 'Most redemption codes made at once must be a whole number from 1 to 10000',
  },
  ModelRatio: ratios('Model ratio'),
  CompletionRatio: ratios('Completion ratio'),
  CacheReadRatio: ratios('Cached prompt ratio'),
  CacheWriteRatio: ratios('Cache writing ratio'),
  CacheLongWriteRatio: ratios('One-hour cache writing ratio'),
  ReasoningRatio: ratios('Reasoning ratio'),
  GroupRatio: ratios('Group ratio'),
  SystemName: text('System name', 'Sluice 水闸'),
  ModelsWithoutPrice: {
    good: 'charge',
    bad: 'ignore',
    complaint: 'Models without a price must be one of refuse, charge',
  },
  Theme: { good: 'dark', bad: 'berry', complaint: 'Theme must be one of default, light, dark' },
  Logo: text('Logo URL', 'https://good.example/logo.png'),
  Notice: page('Notice'),
  HomePageContent: page('Home page content'),
  About: page('About'),
  Footer: page('Footer'),
};
