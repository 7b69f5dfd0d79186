import { describe, expect, test } from 'vitest';
import { fillTemplate } from '../wire/fill-template.ts';
import { optionErrors, optionLabels } from './option-messages.ts';
import { optionSections, optionTabs } from './option-row.ts';
import { defaultOptions, isOptionKey, type OptionKey, optionError, optionKeys, optionRow, options } from './options.ts';

/** Option keys of section 3 of the specification. */
const specifiedKeys = [
  ...[
    'PasswordLoginEnabled',
    'PasswordRegisterEnabled',
    'RegisterEnabled',
    'OrganizationCreationEnabled',
    'EmailVerificationEnabled',
  ],
  ...['EmailDomainRestrictionEnabled', 'EmailDomainWhitelist'],
  ...['GitHubOAuthEnabled', 'GitHubClientId', 'GitHubClientSecret', 'LarkClientId', 'LarkClientSecret'],
  ...['WeChatAuthEnabled', 'WeChatServerAddress', 'WeChatServerToken', 'WeChatAccountQRCodeImageURL'],
  ...['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPFrom', 'SMTPToken', 'MessagePusherAddress', 'MessagePusherToken'],
  ...['TurnstileCheckEnabled', 'TurnstileSiteKey', 'TurnstileSecretKey'],
  ...['Notice', 'ServerAddress', 'Footer', 'About', 'SystemName', 'Logo', 'HomePageContent', 'Theme'],
  ...['TopUpLink', 'ChatLink'],
  ...[
    'QuotaForNewUser',
    'QuotaForInviter',
    'QuotaForInvitee',
    'QuotaRemindThreshold',
    'PreConsumedQuota',
    'QuotaPerUnit',
  ],
  ...['ModelRatio', 'CompletionRatio', 'GroupRatio'],
  ...['AutomaticDisableChannelEnabled', 'AutomaticEnableChannelEnabled', 'ChannelDisableThreshold'],
  ...[
    'LogConsumeEnabled',
    'DisplayInCurrencyEnabled',
    'DisplayTokenStatEnabled',
    'ApproximateTokenEnabled',
    'RetryTimes',
  ],
];

const ownKeys = [
  'PriceListUrl',
  'PriceListDays',
  'PriceListMaxPercent',
  'RetryBudgetPercent',
  'ReasoningSuffixesEnabled',
  'TagRules',
  'ReasoningSuffixListEnabled',
  'KeepBodies',
  'KeptBodiesMegabytes',
  'PasswordMaxLength',
  'TagKeys',
  'StoredResponseDays',
  'StoredResponseMegabytes',
  'StoredResponseTotalMegabytes',
  'UpstreamFirstByteSeconds',
  'UpstreamIdleSeconds',
  'KeyRejectedRule',
  'EmptyAccountRule',
  'ModelGoneRule',
  'OverloadRule',
  'AdminSecondFactorEnabled',
  'StatusPageEnabled',
  'StatusPageGroup',
  'ModelCatalogEnabled',
  'ModelCatalogGroup',
  'LongestAnswer',
  'UserConcurrencyLimit',
  'TokenConcurrencyLimit',
  'RedemptionBatchLimit',
  'TokensPerUserLimit',
  'UnpricedFieldsAllowed',
  'EmptyResponseRetryEnabled',
  'CacheReadRatio',
  'CacheWriteRatio',
  'CacheLongWriteRatio',
  'ReasoningRatio',
  'AudioRatio',
  'CachedAudioRatio',
  'AudioOutputRatio',
  'ImageRatio',
  'CachedImageRatio',
  'ImageOutputRatio',
  'FlexRatio',
  'PriorityRatio',
  'CallRatio',
  'PriceHours',
  'ConsolePreset',
  'ModelsWithoutPrice',
  'CheckInEnabled',
  'CheckInMinQuota',
  'CheckInMaxQuota',
  'ReferralSharePercent',
  'ReferralShareFixed',
  'ReferralFirstOrderOnlyEnabled',
  'ReferralShareCap',
  'ReferralWaitDays',
  'ReferralPayoutMinimum',
  'TopUpAmounts',
  'TopUpGroupRatio',
  'StripeEnabled',
  'StripeSecretKey',
  'StripeWebhookSecret',
  'StripeCurrency',
  'StripeUnitPrice',
  'StripeInvoiceEnabled',
  'EpayEnabled',
  'EpayAddress',
  'EpayMerchantId',
  'EpayMerchantKey',
  'EpayMethods',
  'EpayUnitPrice',
  'InvoiceSeller',
  'InvoiceAddress',
  'InvoiceTaxNumber',
  'InvoiceTaxLabel',
  'InvoiceTaxRate',
  'InvoiceNumbersEnabled',
  'InvoiceNumberPrefix',
  'CreditNoteNumberPrefix',
  'OidcEnabled',
  'OidcClientId',
  'OidcClientSecret',
  'OidcWellKnown',
];

const secretKeys = [
  ...[
    'EpayMerchantKey',
    'GitHubClientSecret',
    'LarkClientSecret',
    'MessagePusherToken',
    'OidcClientSecret',
    'SMTPToken',
    'StripeSecretKey',
    'StripeWebhookSecret',
    'TurnstileSecretKey',
    'WeChatServerToken',
  ],
];

const parse = (key: OptionKey, text: string) => optionRow(key).schema.safeParse(text);
const accepts = (key: OptionKey, text: string) => parse(key, text).success;
const messageOf = (key: OptionKey, text: string) => {
  const fault = optionError(key, text);
  return fault && fillTemplate(fault.message, { label: optionRow(key).label, ...fault.values });
};

test("the table contains the specification's options and the gateway's own", () => {
  expect([...optionKeys].sort()).toEqual([...specifiedKeys, ...ownKeys].sort());
  expect(new Set(specifiedKeys).size).toBe(specifiedKeys.length);
});

describe.each(optionKeys)('option %s', (key) => {
  const row = optionRow(key);

  test('the default survives a round trip through text', () => {
    const text = row.format(row.initial);
    expect(text).toBeTypeOf('string');
    expect(row.schema.parse(text)).toEqual(row.initial);
    expect(defaultOptions[key]).toEqual(row.initial);
  });

  test('the option has a label, a section and a tab', () => {
    expect(row.label.trim()).not.toBe('');
    expect(row.label).not.toMatch(/[.:]$/);
    expect(optionTabs).toHaveProperty(optionSections[row.section].tab);
  });

  test('the option depends only on other existing options', () => {
    for (const needed of row.needs ?? []) {
      expect(isOptionKey(needed)).toBe(true);
      expect(needed).not.toBe(key);
    }
  });
});

test('every section has an option and every tab a section', () => {
  const used = new Set(optionKeys.map((key) => options[key].section));
  expect([...used].sort()).toEqual(Object.keys(optionSections).sort());
  expect(new Set(Object.values(optionSections).map(({ tab }) => tab))).toEqual(new Set(Object.keys(optionTabs)));
});

test('labels are unique within their section', () => {
  const names = optionKeys.map((key) => `${options[key].section}: ${options[key].label}`);
  expect(new Set(names).size).toBe(names.length);
});

test('only the expected options are secret', () => {
  expect(optionKeys.filter((key) => options[key].control === 'secret').sort()).toEqual(secretKeys);
});

describe('option validation messages', () => {
  test.each<[OptionKey, string, string]>([
    ['RegisterEnabled', 'yes', 'Allow new users to register must be true or false'],
    ['RetryTimes', '1.5', 'Retry times must be a whole number from 0 to 100'],
    ['QuotaPerUnit', '0', 'Quota per dollar must be a number from 0.000001 to 1000000000000000'],
    ['SystemName', 'x'.repeat(1001), 'System name may have at most 1000 characters'],
    ['SMTPFrom', 'a@b.example\r\nBcc: c', 'Sender address must not contain line breaks or control characters'],
    ['GitHubClientSecret', 'a\tb', 'GitHub client secret must not contain line breaks or control characters'],
    ['ServerAddress', 'x', 'Server address must start with http:// or https:// and contain no spaces'],
    ['Theme', 'pink', 'Theme must be one of default, light, dark'],
    ['EmailDomainWhitelist', 'a.example,b@c.example', 'Allowed email domains: b@c.example is not a valid domain'],
    ['GroupRatio', '{"a,b":1}', 'Group ratio: "a,b" is not a valid group name'],
  ])('returns the validation message of %s', (key, text, sentence) => {
    expect(messageOf(key, text)).toBe(sentence);
  });

  test('validation messages have Chinese translations with the same placeholders', () => {
    const places = (message: string) => [...message.matchAll(/\{\w+\}/g)].map(String).sort();
    for (const [message, chinese] of Object.entries(optionErrors))
      expect(places(chinese), message).toEqual(places(message));
  });

  test('every option label has a Chinese translation', () => {
    expect(Object.keys(optionLabels).sort()).toEqual(optionKeys.map((key) => optionRow(key).label).sort());
  });
});

test('isOptionKey accepts only keys in the table', () => {
  for (const key of ['toString', '__proto__', 'constructor', 'passwordLoginEnabled', ''])
    expect(isOptionKey(key)).toBe(false);
});

describe('[S3.44] boolean options', () => {
  const toggles = optionKeys.filter((key) => options[key].control === 'toggle');

  test("[S3.44] boolean options are read from and written as 'true' and 'false'", () => {
    expect(toggles.every((key) => key.endsWith('Enabled'))).toBe(true);
    expect(optionKeys.filter((key) => key.endsWith('Enabled'))).toEqual(toggles);
    for (const key of toggles) {
      expect(parse(key, 'true').data).toBe(true);
      expect(parse(key, 'false').data).toBe(false);
      expect(optionRow(key).format(true)).toBe('true');
      expect(optionRow(key).format(false)).toBe('false');
    }
  });

  test.each(['', 'TRUE', '1', 'yes', ' true'])('[S3.44] boolean options reject %j', (text) => {
    for (const key of toggles) expect(accepts(key, text)).toBe(false);
  });
});

describe('number options', () => {
  test.each<[OptionKey, string[], string[]]>([
    ['RetryTimes', ['0', '3', ' 5 ', '100'], ['-1', '1.5', '', 'x', '1e3', 'NaN', '101', '99999999999999999999']],
    ['QuotaForNewUser', ['0', '500000', '1000000000000000'], ['-1', '0.1', '0.0000001', '1000000000000001']],
    [
      'QuotaPerUnit',
      ['0.01', '0.000001', '1000000000000000'],
      ['0', '-1', '0.0000001', '1000000000000001', 'Infinity'],
    ],
    ['ChannelDisableThreshold', ['0', '0.5', '86400'], ['-0.1', '86401', '0x10', '.5', '5.', '1 0']],
    ['RedemptionBatchLimit', ['1', '100', '10000'], ['0', '-1', '1.5', '10001', '']],
    ['SMTPPort', ['1', '25', '65535'], ['0', '65536', '25.5', '']],
  ])('%s accepts %j and rejects %j', (key, good, bad) => {
    for (const text of good) expect(accepts(key, text), text).toBe(true);
    for (const text of bad) expect(accepts(key, text), text).toBe(false);
  });

  test.each(['0.000001', '0.1', '0.30000000000000004', '1000000000000000', '12.3456789'])(
    '%s survives a round trip through text',
    (text) => {
      const { data } = parse('QuotaPerUnit', text);
      expect(parse('QuotaPerUnit', optionRow('QuotaPerUnit').format(data)).data).toBe(data);
    },
  );

  test('number options have the specified steps', () => {
    expect(options.RetryTimes.step).toBe(1);
    expect(options.QuotaPerUnit.step).toBe(0.01);
  });

  test('the SMTP port field suggests 587', () => {
    expect(options.SMTPPort.hint).toBe('587');
  });
});

describe('[S9.9] address options', () => {
  const keys = ['ServerAddress', 'WeChatServerAddress', 'MessagePusherAddress', 'TopUpLink', 'ChatLink'] as const;

  test.each(keys)('[S9.9] %s is stored without a trailing slash', (key) => {
    expect(parse(key, ' https://gateway.example.com/ ').data).toBe('https://gateway.example.com');
    expect(parse(key, 'http://gateway.example.com:8080/path//').data).toBe('http://gateway.example.com:8080/path');
    expect(parse(key, '').data).toBe('');
  });

  test.each(keys)('%s accepts only http and https', (key) => {
    for (const text of ['javascript:alert(1)', 'gateway.example.com', 'ftp://x', 'https://', '//x', 'https://a b']) {
      expect(accepts(key, text), text).toBe(false);
    }
  });
});

describe('email domain whitelist', () => {
  test('[S3.46] domains are comma-separated', () => {
    expect(parse('EmailDomainWhitelist', 'a.example,b.example').data).toEqual(['a.example', 'b.example']);
    expect(optionRow('EmailDomainWhitelist').format(['a.example', 'b.example'])).toBe('a.example,b.example');
  });

  test('blank and duplicate domains are dropped', () => {
    expect(parse('EmailDomainWhitelist', ' a.example, ,A.example,,b.example,a.example ').data).toEqual([
      'a.example',
      'b.example',
    ]);
    expect(parse('EmailDomainWhitelist', '').data).toEqual([]);
  });

  test('only domains are accepted', () => {
    for (const text of ['user@a.example', 'a b.example', 'localhost', '-a.example', '*.example', 'http://a.example']) {
      expect(accepts('EmailDomainWhitelist', text), text).toBe(false);
    }
    expect(accepts('EmailDomainWhitelist', '例子.中国')).toBe(true);
  });
});

describe('ratio options', () => {
  test.each([
    ['ModelRatio', 'Model ratio is not a valid JSON string'],
    ['GroupRatio', 'Group ratio is not a valid JSON string'],
    ['CompletionRatio', 'Completion ratio is not a valid JSON string'],
  ] as const)('%s is rejected with "%s"', (key, message) => {
    for (const text of ['{', 'x', '{"a":1,}', "{'a':1}", 'undefined']) expect(messageOf(key, text), text).toBe(message);
  });

  test('an empty text is read as an empty object', () => {
    expect(parse('ModelRatio', '').data).toEqual({});
    expect(parse('ModelRatio', ' \n ').data).toEqual({});
    expect(parse('ModelRatio', '{}').data).toEqual({});
  });

  test('ratios are non-negative numbers, keyed by name', () => {
    expect(parse('ModelRatio', '{"gpt-4": 15, "free": 0, "half": 0.5}').data).toEqual({
      'gpt-4': 15,
      free: 0,
      half: 0.5,
    });
    for (const text of [
      '[1]',
      '1',
      'null',
      '"x"',
      '{"a":"1"}',
      '{"a":-1}',
      '{"a":null}',
      '{"a":{"b":1}}',
      '{"a":1e10}',
      '{"a":1e400}',
      '{"__proto__":1}',
    ]) {
      expect(accepts('ModelRatio', text), text).toBe(false);
    }
    expect(messageOf('ModelRatio', '[1]')).toBe('Model ratio must be a JSON object of names and non-negative numbers');
  });

  test.each(['{"":1}', '{" a":1}', '{"a,b":1}', '{"a\\n":1}'])('group ratios reject %s', (text) => {
    expect(accepts('GroupRatio', text)).toBe(false);
    expect(accepts('ModelRatio', text)).toBe(true);
  });

  test.each(['{"a\\u0000":1}', '{"a\\ud800":1}', `{"${'m'.repeat(301)}":1}`])(
    'model ratios reject a name that the database cannot store: %.20s',
    (text) => {
      expect(accepts('ModelRatio', text)).toBe(false);
    },
  );

  test('ratios are formatted with line breaks', () => {
    expect(optionRow('GroupRatio').format({ default: 1, vip: 0.5 })).toBe('{\n  "default": 1,\n  "vip": 0.5\n}');
  });
});

test('the theme must be one of the choices, and defaults to the first', () => {
  expect(options.Theme.choices).toEqual(['default', 'light', 'dark']);
  expect(defaultOptions.Theme).toBe('default');
  expect(accepts('Theme', 'dark')).toBe(true);
  expect(accepts('Theme', 'pink')).toBe(false);
});

test('long content is stored unchanged, including line breaks', () => {
  const content = '# Title\n\n<b>bold</b>  \n';
  expect(parse('HomePageContent', content).data).toBe(content);
  expect(accepts('HomePageContent', 'x'.repeat(200_001))).toBe(false);
});
