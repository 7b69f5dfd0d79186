import type { OptionKey } from '@headgate/contract';

interface OptionSample {
  readonly good: string;
  /** Stored form, if it differs from the sent form. */
  readonly kept?: string;
  readonly bad: string;
  readonly complaint: string;
}

const oneLine = 'must not contain line breaks or control characters';
const httpAddress = 'must start with http:// or https:// and contain no spaces';

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
  complaint: `${label} must be 0 or a rule such as 3 of 5 or 3 in 10m, within 100 requests or one day`,
});

/** A valid and an invalid value for each option, with the expected error. */
export const optionSamples: Readonly<Record<OptionKey, OptionSample>> = {
  ServerAddress: address('Server address'),
  PasswordLoginEnabled: toggle('Allow password login', 'false'),
  PasswordRegisterEnabled: toggle('Allow password registration', 'false'),
  PasswordMaxLength: {
    good: '64',
    bad: '19',
    complaint: 'Maximum password length must be a whole number from 20 to 200',
  },
  RegisterEnabled: toggle('Allow new users to register', 'false'),
  EmailVerificationEnabled: toggle('Require email verification to register', 'true'),
  GitHubOAuthEnabled: toggle('Allow sign-in with GitHub', 'true'),
  WeChatAuthEnabled: toggle('Allow sign-in with WeChat', 'true'),
  OidcEnabled: toggle('Allow sign-in with OpenID Connect', 'true'),
  TurnstileCheckEnabled: toggle('Require the bot check', 'true'),
  StatusPageEnabled: toggle('Show a public status page', 'true'),
  StatusPageGroup: text('Status page group', 'vip'),
  ModelCatalogEnabled: toggle('Show a public model catalog', 'true'),
  ModelCatalogGroup: text('Model catalog group', 'vip'),
  AdminSecondFactorEnabled: toggle('Require a second factor for admins', 'true'),
  EmailDomainRestrictionEnabled: toggle('Restrict email domains', 'true'),
  EmailDomainWhitelist: {
    good: ' A.example,, b.example,a.example ',
    kept: 'a.example,b.example',
    bad: 'a.example,user@b.example',
    complaint: 'Allowed email domains: user@b.example is not a valid domain',
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
  OidcWellKnown: address('OpenID Connect discovery URL'),
  MessagePusherAddress: address('Message pusher address'),
  MessagePusherToken: text('Message pusher token', 'marker-pusher'),
  TurnstileSiteKey: text('Turnstile site key', 'site'),
  TurnstileSecretKey: text('Turnstile secret key', 'marker-turnstile'),
  TopUpLink: address('Top-up link'),
  TopUpAmounts: {
    good: ' 100+10% ,5, 12.5 ',
    kept: '5, 12.5, 100 +10%',
    bad: '5, -1',
    complaint: 'Top-up amounts must be a list of amounts such as 5, 20, 100 +10%',
  },
  CheckInEnabled: toggle('Daily check-in', 'true'),
  CheckInMinQuota: quota('Check-in minimum'),
  CheckInMaxQuota: quota('Check-in maximum'),
  ReferralSharePercent: {
    good: '10',
    bad: '101',
    complaint: 'Referral share (%) must be a whole number from 0 to 100',
  },
  ReferralShareFixed: quota('Referral share per order'),
  ReferralFirstOrderOnlyEnabled: toggle('Referral share of the first order only', 'true'),
  ReferralShareCap: quota('Max referral share per invited user'),
  ReferralWaitDays: {
    good: '30',
    bad: '-1',
    complaint: 'Referral waiting period (days) must be a whole number from 0 to 3650',
  },
  ReferralPayoutMinimum: quota('Minimum referral payout'),
  TopUpGroupRatio: ratios('Top-up price ratio of groups'),
  StripeEnabled: toggle('Accept payments with Stripe', 'true'),
  StripeSecretKey: text('Stripe secret key', 'marker-stripe-key'),
  StripeWebhookSecret: text('Stripe webhook secret', 'marker-stripe-webhook'),
  StripeCurrency: {
    good: 'eur',
    bad: 'doubloon',
    complaint: 'Stripe currency must be one of usd, eur, gbp, cny, hkd, sgd, aud, cad, chf, jpy, krw, inr, brl',
  },
  StripeUnitPrice: {
    good: '1.05',
    bad: '0',
    complaint: 'Stripe price per dollar of quota must be a number from 0.000001 to 1000000000000000',
  },
  StripeInvoiceEnabled: toggle('Create Stripe invoices', 'true'),
  EpayEnabled: toggle('Accept payments with Epay', 'true'),
  EpayAddress: address('Epay address'),
  EpayMerchantId: text('Epay merchant ID', '1001'),
  EpayMerchantKey: text('Epay merchant key', 'marker-epay'),
  EpayMethods: {
    good: ' alipay,, wxpay,alipay ',
    kept: 'alipay,wxpay',
    bad: 'alipay,We Chat',
    complaint: 'Epay payment methods: We Chat is not a valid field name',
  },
  EpayUnitPrice: {
    good: '7.25',
    bad: '0',
    complaint: 'Epay price per dollar of quota must be a number from 0.000001 to 1000000000000000',
  },
  ChatLink: address('Chat link'),
  QuotaPerUnit: {
    good: '0.5',
    bad: '0',
    complaint: 'Quota per dollar must be a number from 0.000001 to 1000000000000000',
  },
  PriceListUrl: address('Price list URL'),
  PriceListDays: {
    good: '7',
    bad: '-1',
    complaint: 'Update prices every (days) must be a whole number from 0 to 3650',
  },
  PriceListMaxPercent: {
    good: '20',
    bad: '1.5',
    complaint: 'Largest automatic price change (%) must be a whole number from 0 to 1000',
  },
  RetryTimes: { good: '3', bad: '1.5', complaint: 'Retry times must be a whole number from 0 to 100' },
  RetryBudgetPercent: {
    good: '30',
    bad: '1.5',
    complaint: 'Retry budget (%) must be a whole number from 0 to 1000',
  },
  ReasoningSuffixesEnabled: toggle('Reasoning suffixes in model names', 'true'),
  ReasoningSuffixListEnabled: toggle('List names with reasoning suffixes', 'true'),
  TagRules: {
    good: '{"eu":[{"name":"r","then":[{"do":"set","path":"top_k","value":1}]}]}',
    bad: '[]',
    complaint: 'Rules of channel tags must be a JSON object of tags and lists of rules',
  },
  DisplayInCurrencyEnabled: toggle('Show quota in dollars', 'false'),
  DisplayTokenStatEnabled: toggle('Billing API reports token quota instead of user quota', 'false'),
  EmptyResponseRetryEnabled: toggle('Retry empty responses', 'true'),
  ApproximateTokenEnabled: toggle('Estimate token counts to save CPU', 'true'),
  LogConsumeEnabled: toggle('Log every request', 'false'),
  KeepBodies: {
    good: 'owners',
    bad: 'everybody',
    complaint: 'Payload logging must be one of off, admins, owners',
  },
  TagKeys: {
    good: ' team,, end_user,team ',
    kept: 'team,end_user',
    bad: 'team,Cost centre',
    complaint: 'Request tag keys: Cost centre is not a valid tag key',
  },
  StoredResponseDays: {
    good: '7',
    bad: '-1',
    complaint: 'Response retention (days) must be a whole number from 0 to 3650',
  },
  StoredResponseMegabytes: {
    good: '20',
    bad: '0',
    complaint: 'Response storage per user (MB) must be a whole number from 1 to 1000000',
  },
  StoredResponseTotalMegabytes: {
    good: '40',
    bad: '0',
    complaint: 'Total response storage (MB) must be a whole number from 1 to 1000000',
  },
  KeptBodiesMegabytes: {
    good: '50',
    bad: '0',
    complaint: 'Payload storage limit (MB) must be a whole number from 1 to 1000000',
  },
  ChannelDisableThreshold: {
    good: '7.5',
    bad: '-0.1',
    complaint: 'Max response time (seconds) must be a number from 0 to 86400',
  },
  UpstreamFirstByteSeconds: {
    good: '1800',
    bad: '0',
    complaint: 'First-byte timeout (seconds) must be a whole number from 1 to 86400',
  },
  UpstreamIdleSeconds: {
    good: '60',
    bad: '86401',
    complaint: 'Idle timeout (seconds) must be a whole number from 1 to 86400',
  },
  QuotaRemindThreshold: quota('Quota reminder threshold'),
  AutomaticDisableChannelEnabled: toggle('Disable channels automatically when they fail', 'true'),
  AutomaticEnableChannelEnabled: toggle('Enable channels automatically when they recover', 'true'),
  KeyRejectedRule: rule('Rejected key: disable after'),
  EmptyAccountRule: rule('No balance: disable after'),
  ModelGoneRule: rule('Model not found: pause model after'),
  OverloadRule: rule('Overloaded or failing: pause model after'),
  QuotaForNewUser: quota('New-user initial quota'),
  PreConsumedQuota: quota('Quota reserved per request'),
  LongestAnswer: {
    good: '16384',
    bad: '0',
    complaint: 'Max output tokens must be a whole number from 1 to 10000000',
  },
  UserConcurrencyLimit: {
    good: '7',
    bad: '-1',
    complaint: 'Concurrent requests per user must be a whole number from 0 to 1000000',
  },
  TokenConcurrencyLimit: {
    good: '7',
    bad: '1.5',
    complaint: 'Concurrent requests per token must be a whole number from 0 to 1000000',
  },
  UnpricedFieldsAllowed: {
    good: ' service_tier,, chatId,service_tier ',
    kept: 'service_tier,chatId',
    bad: 'service_tier,extra body',
    complaint: 'Allowed unpriced request fields: extra body is not a valid field name',
  },
  QuotaForInviter: quota('Inviter reward'),
  QuotaForInvitee: quota('Invitee reward'),
  TokensPerUserLimit: {
    good: '7',
    bad: '10001',
    complaint: 'API tokens per user must be a whole number from 1 to 10000',
  },
  RedemptionBatchLimit: {
    good: '5',
    bad: '0',
    complaint: 'Redemption codes per batch must be a whole number from 1 to 10000',
  },
  ModelRatio: ratios('Model ratio'),
  CompletionRatio: ratios('Completion ratio'),
  CacheReadRatio: ratios('Cached input ratio'),
  CacheWriteRatio: ratios('Cache write ratio'),
  CacheLongWriteRatio: ratios('One-hour cache write ratio'),
  ReasoningRatio: ratios('Reasoning ratio'),
  AudioRatio: ratios('Audio input ratio'),
  CachedAudioRatio: ratios('Cached audio ratio'),
  AudioOutputRatio: ratios('Audio output ratio'),
  ImageRatio: ratios('Image input ratio'),
  CachedImageRatio: ratios('Cached image ratio'),
  ImageOutputRatio: ratios('Image output ratio'),
  FlexRatio: ratios('Flex tier ratio'),
  PriorityRatio: ratios('Priority tier ratio'),
  PriceHours: {
    good: '{"deepseek-*":[{"from":"16:30","to":"00:30","multiplier":0.5}]}',
    bad: '{"deepseek-chat":[{"from":"24:30","to":"00:30","multiplier":0.5}]}',
    complaint: 'Price hours: the hours of deepseek-chat are invalid',
  },
  CallRatio: ratios('Request ratio'),
  GroupRatio: ratios('Group ratio'),
  SystemName: text('System name', 'Sluice 水闸'),
  ModelsWithoutPrice: {
    good: 'charge',
    bad: 'ignore',
    complaint: 'Models without a price must be one of refuse, charge',
  },
  Theme: { good: 'dark', bad: 'berry', complaint: 'Theme must be one of default, light, dark' },
  ConsolePreset: {
    good: 'team',
    bad: 'family',
    complaint: 'Console preset must be one of everything, personal, team, reseller',
  },
  Logo: text('Logo URL', 'https://good.example/logo.png'),
  Notice: page('Notice'),
  HomePageContent: page('Home page content'),
  About: page('About'),
  Footer: page('Footer'),
};
