import { bulkOperations, exportOperations } from './bulk.ts';
import type { ResourceTexts, SchemaTexts } from './types.ts';

const tokenStatus = '1 enabled, 2 disabled, 3 expired, 4 exhausted';
const tokenQuery = {
  status: `Only API tokens with this status: ${tokenStatus}. Omitted: every status.`,
  keyword: 'A part of the name, ignoring case. Empty: all API tokens.',
};
const codeStatus = '1 unused, 2 disabled, 3 used';
const codeQuery = { status: `Only codes with this status: ${codeStatus}. Omitted: every status.` };

export const tokenResources: ResourceTexts<
  'token' | 'tokenBulk' | 'tokenExport' | 'redemption' | 'redemptionBulk' | 'redemptionExport'
> = {
  token: {
    tag: 'API tokens',
    params: { id: 'ID of the API token.' },
    query: {
      ...tokenQuery,
      order: 'Sorts by this column, descending. Empty: newest first. `sort` takes precedence.',
    },
    operations: {
      list: {
        summary: 'List your API tokens',
        description:
          'Returns one page of the API tokens of the caller. Keys are empty for access tokens whose scope is not `all`.',
        data: 'The API tokens of the page.',
      },
      search: {
        summary: 'Search your API tokens',
        description: 'Returns one page of the API tokens of the caller whose name matches.',
        data: 'The API tokens of the page.',
      },
      counts: {
        summary: 'Count your API tokens by status',
        description: 'Returns the number of API tokens of the caller in each status.',
        data: 'Number of API tokens by status code. A status without tokens is missing.',
        dataExample: { 1: 3, 4: 1 },
      },
      get: { summary: 'Get an API token', description: 'Returns one API token of the caller.' },
      create: { summary: 'Create an API token', description: 'Creates an API token for the caller.' },
      update: {
        summary: 'Update an API token',
        description: 'Changes an API token of the caller. Omitted fields are unchanged.',
      },
      rotate: {
        summary: 'Rotate the key of an API token',
        description: 'Gives an API token a new key. The old key keeps working for the grace period.',
      },
      endOldKey: {
        summary: 'End the old key of an API token',
        description: 'Ends the grace period of a rotated key now.',
      },
      remove: { summary: 'Delete an API token', description: 'Deletes an API token of the caller.' },
    },
  },
  tokenBulk: { tag: 'API tokens', operations: bulkOperations('API tokens', 'of the caller') },
  tokenExport: {
    tag: 'API tokens',
    query: tokenQuery,
    operations: exportOperations('API tokens', ' Only API tokens of the caller, without keys.'),
  },
  redemption: {
    tag: 'Redemption codes',
    params: { id: 'ID of the redemption code.' },
    query: codeQuery,
    operations: {
      list: {
        summary: 'List redemption codes',
        description:
          'Returns one page of all redemption codes. Codes are empty for access tokens whose scope is not `all`.',
        data: 'The redemption codes of the page.',
      },
      search: {
        summary: 'Search redemption codes',
        description: 'Returns one page of the redemption codes that match the keyword.',
        data: 'The redemption codes of the page.',
      },
      counts: {
        summary: 'Count redemption codes by status',
        description: 'Returns the number of redemption codes in each status.',
        data: 'Number of codes by status code. A status without codes is missing.',
        dataExample: { 1: 90, 3: 10 },
      },
      get: { summary: 'Get a redemption code', description: 'Returns one redemption code.' },
      create: {
        summary: 'Create redemption codes',
        description: 'Creates one or more redemption codes: all of them, or none if one fails.',
        data: 'The new codes.',
        dataExample: ['0123456789abcdef0123456789abcdef'],
      },
      update: {
        summary: 'Update a redemption code',
        description: 'Changes a redemption code that is not used up. Omitted fields are unchanged.',
      },
      remove: { summary: 'Delete a redemption code', description: 'Deletes a redemption code.' },
    },
  },
  redemptionBulk: { tag: 'Redemption codes', operations: bulkOperations('redemption codes') },
  redemptionExport: {
    tag: 'Redemption codes',
    query: codeQuery,
    operations: exportOperations('redemption codes', ' Includes the codes.'),
  },
};

const mayBe = {
  dialects:
    'API dialects the token may use, separated by commas: `openai`, `anthropic`, `gemini`, `ollama`. Empty: all.',
  endpoints:
    'Endpoints the token may use, separated by commas: `conversations`, `completions`, `embeddings`, `moderations`, `rerank`, `ocr`, `images`, `speech`, `transcriptions`. Empty: all.',
  fixed_tags:
    'Tags of all requests of the API token, such as `team=search,feature=summary`. Clients cannot change them. Only keys in `TagKeys` are recorded.',
};

export const tokenSchemas: SchemaTexts = {
  Token: {
    description: 'An API token for the relay.',
    fields: {
      user_id: 'ID of the user who owns the API token.',
      key: 'The key without the prefix `sk-`. Empty if the caller may not see it, or if only its hash was imported so far.',
      status: `Status: ${tokenStatus}. Expired and exhausted follow from the other fields.`,
      name: 'Name of the API token, at most 30 characters.',
      accessed_time: 'Time of the last charged request, Unix seconds. 0: never used.',
      remain_quota: 'Points the API token may still spend. Ignored if `unlimited_quota` is true.',
      unlimited_quota: 'True: limited only by the balance of the user.',
      used_quota: 'Points used so far.',
      models:
        'Models the API token may use, separated by commas; `*` matches any characters. Empty or null: all models.',
      subnet: 'IP addresses or CIDR ranges that may use the API token, separated by commas. Empty or null: any.',
      note: 'Free text, at most 500 characters.',
      groups: 'Groups the API token may use, of those of its user, separated by commas. Empty: all of them.',
      ...mayBe,
      is_bound: 'True: an admin restricted the API token to some channels.',
      old_key_until: 'Time until which the key before the last rotation works, Unix seconds. 0: no old key.',
      is_locked: 'True: an admin disabled the API token, and only an admin can enable it.',
      lock_reason: 'Reason given by the admin. Empty: none.',
    },
    example: {
      key: '4fK9mQ2xT7wZ1aB6cD3eF8gH5jL0nP4rS9tU2vX7yA1bC6dE',
      unlimited_quota: false,
      models: '',
      subnet: '',
      groups: '',
      dialects: '',
      endpoints: '',
      is_bound: false,
      old_key_until: 0,
      is_locked: false,
      lock_reason: '',
      fixed_tags: '',
    },
  },
  Policy: {
    description:
      'Limits of an API token or user, saved together with it as budgets and rate limits: everything or nothing. Omitted fields are unchanged, null removes a limit.',
    fields: {
      day: 'Points that may be spent per day.',
      month: 'Points that may be spent per month.',
      requests_per_minute: 'Requests per minute. Only admins with a higher role can change rate limits.',
      tokens_per_minute: 'Tokens per minute.',
      requests_under_way: 'Concurrent requests.',
      time_zone: 'IANA time zone in which the periods of new budgets start.',
    },
    example: {
      day: 2_500_000,
      month: null,
      requests_per_minute: 10,
      tokens_per_minute: null,
      requests_under_way: 3,
      time_zone: 'UTC',
    },
  },
  ExportedToken: { description: 'An API token without its key.', like: 'Token' },
  UserToken: {
    description: 'An API token as an admin sees it: without its key.',
    like: 'Token',
    fields: {
      channels: 'IDs of the channels it is bound to, separated by commas. Empty: none by ID.',
      tags: 'Tags of the channels it is bound to, separated by commas. Empty: none by tag.',
    },
    example: { channels: '', tags: '' },
  },
  TokenCreateRequest: {
    description: 'A new API token.',
    like: 'Token',
    fields: {
      expired_time: 'Expiry time, Unix seconds. -1 or 0: never expires.',
      policy: 'Limits of the API token.',
    },
  },
  TokenUpdateRequest: {
    description: 'A change of an API token. Omitted fields are unchanged.',
    like: 'Token',
    fields: {
      id: 'ID of the API token to change.',
      status: 'New status: 1 enabled, 2 disabled. 3 and 4 are accepted and ignored.',
      policy: 'Limits of the API token.',
      remain_quota_was:
        'Remaining points that the caller has read. If they have changed since, the call fails and changes nothing.',
    },
  },
  UserSupportDisableTokensRequest: {
    description: 'The API tokens to disable.',
    fields: {
      ids: 'IDs of the API tokens. Omitted: all enabled API tokens of the user, who then cannot create or enable any.',
      reason: 'Reason shown to the user, at most 200 characters. Empty: none.',
    },
  },
  UserSupportEnableTokensRequest: {
    description: 'The API tokens to enable.',
    fields: {
      ids: 'IDs of the API tokens. Omitted: none.',
      unlock: 'Allows the user to create and enable API tokens again.',
    },
  },
  UserSupportBindTokenRequest: {
    description: 'Channels that an API token may use.',
    fields: {
      token: 'ID of the API token.',
      channels: 'IDs of channels, separated by commas. Empty: none by ID.',
      tags: 'Tags of channels, separated by commas. Empty: none by tag.',
    },
    example: { token: 12, channels: '7,8', tags: '' },
  },
  TokenRotateRequest: {
    description: 'Rotation of a key.',
    fields: { grace: 'Seconds for which the old key keeps working, at most 30 days. 0: it ends now.' },
    example: { grace: 86_400 },
  },
  TokenFilter: {
    description: 'Filter of the API token list. All given conditions must hold.',
    fields: tokenQuery,
    example: { keyword: '' },
  },
  TokenBulkChange: { description: 'A change of many API tokens.' },
  TokenBulkChangeStatus: {
    description: 'Enables or disables API tokens.',
    fields: { status: 'New status: 1 enabled, 2 disabled.' },
  },
  TokenBulkChangeExpiry: { description: 'Sets the expiry time.' },
  TokenBulkChangeQuota: {
    description: 'Sets the remaining quota.',
    fields: { remain_quota: 'New remaining points of each API token. Null: unlimited.' },
  },
  TokenBulkChangeModels: {
    description: 'Sets the allowed models.',
    fields: { models: 'Models, separated by commas. Empty: all models.' },
  },
  TokenBulkChangeNote: { description: 'Sets the note.', fields: { note: 'New note, at most 500 characters.' } },
  TokenBulkChangeDelete: { description: 'Deletes API tokens.' },
  Redemption: {
    description: 'A redemption code.',
    fields: {
      user_id: 'ID of the admin who created the code.',
      key: 'The code, 32 characters. Empty if the caller may not see it.',
      status: `Status: ${codeStatus}.`,
      name: 'Name of the code, at most 20 characters.',
      quota: 'Points that the code adds.',
      redeemed_time: 'Time of the last redemption, Unix seconds. 0: not redeemed.',
      redeemed_user_id: 'ID of the account that received the quota of the last redemption. 0: not redeemed.',
      expired_time: 'Expiry time, Unix seconds. 0: never.',
      max_uses: 'Number of users who can redeem the code, once each.',
      use_count: 'Number of redemptions.',
      plan_id: 'ID of the plan that the code grants instead of quota. 0: none.',
    },
    example: {
      user_id: 1,
      name: 'Spring promotion',
      key: '0123456789abcdef0123456789abcdef',
      redeemed_time: 0,
      redeemed_user_id: 0,
      expired_time: 1_767_225_600,
      max_uses: 100,
      use_count: 12,
    },
  },
  RedemptionCreateRequest: {
    description: 'New redemption codes with the same name and value.',
    like: 'Redemption',
    fields: {
      count: 'Number of codes to create.',
      quota: 'Points that each code adds. 0 for codes of a plan.',
    },
    example: { count: 10, expired_time: 1_767_225_600, max_uses: 100 },
  },
  RedemptionUpdateRequest: {
    description: 'A change of an unused redemption code. Omitted fields are unchanged.',
    like: 'Redemption',
    fields: { id: 'ID of the redemption code to change.', status: `New status: ${codeStatus}.` },
  },
  RedemptionFilter: {
    description: 'Filter of the redemption code list. All given conditions must hold.',
    fields: { ...codeQuery, keyword: 'Exact ID, or a part of the name, ignoring case. Empty: all codes.' },
    example: { keyword: '' },
  },
  RedemptionBulkChange: { description: 'A change of many redemption codes.' },
  RedemptionBulkChangeStatus: {
    description: 'Enables or disables redemption codes.',
    fields: { status: 'New status: 1 unused, 2 disabled.' },
  },
  RedemptionBulkChangeDelete: { description: 'Deletes redemption codes.' },
};
