import type { ResourceTexts, SchemaTexts } from './types.ts';

const budgetQuery = {
  kind: 'Only budgets of this kind of owner. Omitted: every kind.',
  owner_id: 'Only budgets of the API token or user with this ID.',
  keyword:
    'Exact ID, or a part of the note, group, tag, API token name or username, ignoring case. Empty: all budgets.',
  status: 'Ignored.',
};

export const limitResources: ResourceTexts<'budget' | 'ownBudget' | 'limitRule' | 'group' | 'subject'> = {
  budget: {
    tag: 'Budgets',
    params: { id: 'ID of the budget.' },
    query: budgetQuery,
    operations: {
      list: {
        summary: 'List budgets',
        description: 'Returns one page of all budgets with their current use.',
        data: 'The budgets of the page.',
      },
      get: { summary: 'Get a budget', description: 'Returns one budget with its current use.' },
      create: {
        summary: 'Create a budget',
        description: 'Creates a budget for an API token, a user, a group or a tag of requests.',
      },
      update: {
        summary: 'Update a budget',
        description: 'Changes a budget. Omitted fields are unchanged. A new period or time zone starts a new period.',
      },
      remove: { summary: 'Delete a budget', description: 'Deletes a budget.' },
      reset: { summary: 'Reset a budget', description: 'Starts a new period of a budget now, with nothing used.' },
    },
  },
  ownBudget: {
    tag: 'Budgets',
    params: { id: 'ID of the budget.' },
    operations: {
      list: {
        summary: 'List your budgets',
        description: 'Returns the budgets of the account and the API tokens of the caller.',
        data: 'The budgets.',
      },
      get: { summary: 'Get one of your budgets', description: 'Returns one budget of the caller.' },
      create: {
        summary: 'Create a budget for your API token',
        description: 'Creates a budget for an API token of the caller.',
      },
      update: {
        summary: 'Update a budget of your API token',
        description:
          'Changes a budget of an API token of the caller. Omitted fields are unchanged. A new period or time zone starts a new period.',
      },
      remove: {
        summary: 'Delete a budget of your API token',
        description: 'Deletes a budget of an API token of the caller.',
      },
      reset: {
        summary: 'Reset a budget of your API token',
        description: 'Starts a new period of a budget of an API token of the caller now, with nothing used.',
      },
    },
  },
  limitRule: {
    tag: 'Limits',
    params: { id: 'ID of the limit.' },
    query: {
      keyword: 'A part of the note or of the names of what the limit applies to, ignoring case. Empty: all limits.',
      measure: 'Only limits of this measure. Omitted: every measure.',
      status: 'Only limits with this status: 1 enabled, 2 disabled. Omitted: both.',
    },
    operations: {
      list: {
        summary: 'List limits',
        description: 'Returns one page of all limits, newest first.',
        data: 'The limits of the page.',
      },
      own: {
        summary: 'List your effective limits',
        description: 'Returns the limits that apply to requests of the caller.',
        data: 'The limits.',
      },
      get: { summary: 'Get a limit', description: 'Returns one limit.' },
      create: { summary: 'Create a limit', description: 'Creates a limit. A gateway has at most 2,000.' },
      update: { summary: 'Update a limit', description: 'Changes a limit. Omitted fields are unchanged.' },
      remove: { summary: 'Delete a limit', description: 'Deletes a limit.' },
    },
  },
  group: {
    tag: 'Users',
    operations: {
      list: {
        summary: 'List groups',
        description: 'Returns the groups that have a group ratio.',
        data: 'Names of the groups.',
        dataExample: ['default', 'vip'],
      },
    },
  },
  subject: {
    tag: 'Users',
    query: {
      kind: 'What to suggest.',
      keyword: 'A part of the name, ignoring case.',
      ids: 'Returns exactly these users, API tokens or channels: up to 100 IDs, separated by commas.',
    },
    operations: {
      suggest: {
        summary: 'Suggest names',
        description:
          'Returns a few users, API tokens, channels, groups, models or tags whose name matches, for input fields.',
        data: 'The suggestions.',
      },
    },
  },
};

const counted = {
  token_id: 'ID of the API token the limit applies to. 0: any.',
  user_id: 'ID of the user the limit applies to. 0: any.',
  group: 'Group the limit applies to: the group by which a request is charged. Empty: any.',
  model: 'Model the limit applies to; `*` matches any characters. Empty: any.',
  tag: 'Tag of the requests the limit applies to, such as `team=search`, or `team=*` for any value. Empty: any request.',
  channel_id:
    'ID of the channel the limit applies to. 0: any. Requests over the limit of a channel go to another channel.',
  measure:
    'What is limited: requests per minute, tokens per minute, tokens per day, requests in flight, or the cost of one request in points.',
  amount: 'The highest allowed value of the measure.',
  counts_per:
    'What is counted together: `all` matching requests, those of each `user`, those of each `token`, or those with each value of the `tag`.',
};

export const limitSchemas: SchemaTexts = {
  Budget: {
    description: 'A spending budget. Requests over it fail until the next period.',
    fields: {
      kind: 'Kind of the owner: an API token, a user, a group shared by all its users, a tag shared by all requests with it, a member or a project of an organization.',
      owner_id: 'ID of the API token, user, membership or project. 0 for a group or tag.',
      owner: 'Name of the API token, user, group, member or project; or the tag.',
      username: 'Owner of the API token. Empty for other kinds.',
      user_id: 'ID of the user, or of the owner of the API token. 0 for a group or tag.',
      amount: 'Budget per period, in points.',
      period: 'When the budget resets: daily, weekly (Monday), monthly, or never (`all`).',
      time_zone: 'IANA time zone in which periods start.',
      enabled: 'False: the budget is not enforced.',
      note: 'Free text, at most 200 characters.',
      used: 'Points charged in the current period. Reservations of running requests are not included.',
      period_start: 'Start of the current period, Unix seconds.',
      period_end: 'Start of the next period, Unix seconds. 0: never.',
    },
    example: { kind: 'token', username: 'alice', period: 'month' },
  },
  BudgetCreateRequest: {
    description: 'A new budget.',
    like: 'Budget',
    fields: {
      kind: 'Kind of the owner: an API token, a user, a group shared by all its users, or a tag shared by all requests with it.',
      owner_id: 'ID of the API token or user. Omit it for a group or tag.',
      group: 'Name of the group. Omit it for other kinds.',
      tag: 'Tag of the requests, such as `team=search`. Omit it for other kinds.',
    },
    example: { group: '', tag: '' },
  },
  BudgetUpdateRequest: {
    description: 'A change of a budget. Omitted fields are unchanged.',
    like: 'Budget',
    fields: { id: 'ID of the budget to change.' },
  },
  OwnBudgetCreateRequest: {
    description: 'A new budget for an API token of the caller.',
    like: 'Budget',
    fields: { owner_id: 'ID of the API token.' },
  },
  LimitRule: {
    description: 'A limit on requests. It applies to requests that match all of its conditions.',
    fields: {
      ...counted,
      note: 'Free text, at most 200 characters.',
      enabled: 'False: the limit is not enforced.',
      token_name: 'Name of the API token. Empty: any, or the token was deleted.',
      username: 'Name of the user. Empty: any, or the user was deleted.',
      channel_name: 'Name of the channel. Empty: any, or the channel was deleted.',
      token_owner: 'Owner of the API token. Empty: the limit is not about an API token.',
      token_owner_id: 'ID of the owner of the API token. 0: the limit is not about an API token.',
      gone: 'Deleted objects the limit refers to. Such a limit applies to no request.',
      used: 'Current value of the measure as this node knows it; of separate counts the highest.',
    },
    example: {
      token_id: 0,
      user_id: 0,
      channel_id: 0,
      model: 'gpt-*',
      tag: '',
      measure: 'requests_per_minute',
      amount: 60,
      counts_per: 'user',
      used: 12,
      token_name: '',
      username: '',
      channel_name: '',
      token_owner: '',
      token_owner_id: 0,
      gone: [],
    },
  },
  LimitRuleCreateRequest: { description: 'A new limit.', like: 'LimitRule' },
  LimitRuleUpdateRequest: {
    description: 'A change of a limit. Omitted fields are unchanged.',
    like: 'LimitRule',
    fields: { id: 'ID of the limit to change.' },
  },
  OwnLimit: {
    description: 'A limit that applies to requests of a user.',
    like: 'LimitRule',
    fields: { user_id: 'ID of the user. 0: the limit is not about one user.' },
  },
  Subject: {
    description: 'A suggestion for an input field.',
    fields: {
      value: 'ID of a user, API token or channel; the name of a group, model or tag.',
      name: 'Name to show.',
      owner: 'Owner of an API token. Empty for other kinds.',
      owner_id: 'ID of the owner of an API token. 0 for other kinds.',
    },
    example: { owner: '', owner_id: 0, name: 'OpenAI' },
  },
};
