import { bulkOperations, exportOperations } from './bulk.ts';
import type { ResourceTexts, SchemaTexts } from './types.ts';

const userQuery = {
  status: 'Only users with this status: 1 enabled, 2 disabled. Omitted: every status.',
  order: 'Sorts by this column, descending. Empty: newest first. `sort` takes precedence.',
  role: 'Only users with this role: 1 common user, 10 admin, 100 super admin.',
  group: 'Only users in this group.',
  quota_from: 'Only users with at least this many points left.',
  quota_below: 'Only users with fewer points left.',
};

const models = { data: 'Names of the models.', dataExample: ['gpt-4o', 'claude-sonnet-4-6'] };

export const userResources: ResourceTexts<'user' | 'userBulk' | 'userSupport' | 'userLimit' | 'userExport' | 'view'> = {
  user: {
    tag: 'Users',
    params: { id: 'ID of the user.' },
    query: userQuery,
    operations: {
      list: { summary: 'List users', description: 'Returns one page of all users.', data: 'The users of the page.' },
      search: {
        summary: 'Search users',
        description: 'Returns one page of the users that match the keyword and the filters.',
        query: { keyword: 'Exact ID, or a part of the username, display name or email address, ignoring case.' },
        data: 'The users of the page.',
      },
      counts: {
        summary: 'Count users by status',
        description: 'Returns the number of users in each status.',
        data: 'Number of users by status code. A status without users is missing.',
        dataExample: { 1: 41, 2: 1 },
      },
      self: { tag: 'Account', summary: 'Get your account', description: 'Returns the account of the caller.' },
      updateSelf: {
        tag: 'Account',
        summary: 'Update your account',
        description:
          'Changes the username, display name or password of the caller. Empty or omitted fields are unchanged. A new password requires a recent login or confirmation and ends the other sessions and all access tokens.',
      },
      removeSelf: {
        tag: 'Account',
        summary: 'Delete your account',
        description: 'Deletes the account of the caller and ends the session. A super admin cannot be deleted.',
      },
      makeAccessToken: {
        tag: 'Access tokens',
        summary: 'Create the system access token',
        description: 'Creates a new system access token for the caller. The previous one stops working.',
        data: 'The access token, 64 hexadecimal digits. It is returned only once.',
        dataExample: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
      inviteCode: {
        tag: 'Account',
        summary: 'Get your invite code',
        description: 'Returns the invite code of the caller and creates it on first use.',
        data: 'The invite code.',
        dataExample: 'kq3x',
      },
      redeem: {
        tag: 'Account',
        summary: 'Redeem a code',
        description: 'Redeems a redemption code for the caller.',
        data: 'Points added to the account.',
        dataExample: 500_000,
      },
      availableModels: {
        tag: 'Account',
        summary: 'List your models',
        description: 'Returns the models that enabled channels serve to the groups of the caller.',
        ...models,
      },
      dashboard: {
        tag: 'Account',
        summary: 'Get your recent usage',
        description: 'Returns the consumption of the caller in the last seven days, by day and model.',
        data: 'One entry per day and model.',
      },
      get: { summary: 'Get a user', description: 'Returns one user with a lower role than the caller.' },
      create: { summary: 'Create a user', description: 'Creates a common user.' },
      update: {
        summary: 'Update a user',
        description:
          'Changes a user with a lower role. Omitted fields are unchanged. A new password ends all sessions of the user and disables all API tokens.',
      },
      manage: {
        summary: 'Change the role or status of a user',
        description: 'Promotes, demotes, deletes, enables or disables a user with a lower role.',
      },
      remove: { summary: 'Delete a user', description: 'Deletes a user with a lower role.' },
      topUp: { summary: 'Add quota to a user', description: 'Adds points to the balance of a user.' },
    },
  },
  userBulk: { tag: 'Users', operations: bulkOperations('users', 'of a lower role') },
  userSupport: {
    tag: 'Users',
    params: { id: 'ID of the user.' },
    operations: {
      tokens: {
        summary: 'List the API tokens of a user',
        description: 'Returns the API tokens of a user with a lower role or of the caller, newest first, without keys.',
        data: 'The API tokens.',
      },
      createToken: {
        summary: 'Create an API token for a user',
        description:
          'Creates an API token for a user with a lower role, and returns it with its key. The audit log names both.',
      },
      disableTokens: {
        summary: 'Disable API tokens of a user',
        description:
          'Disables the given API tokens of a user with a lower role. The user cannot enable them again. Without ids, all API tokens are disabled, and the user cannot create or enable any until `unlock` is sent.',
        data: 'Number of API tokens disabled.',
        dataExample: 2,
      },
      enableTokens: {
        summary: 'Enable API tokens of a user',
        description:
          'Enables API tokens of a user with a lower role that were disabled by an admin or the user. With `unlock`, the user can create and enable API tokens again.',
        data: 'Number of API tokens enabled.',
        dataExample: 1,
      },
      bindToken: {
        summary: 'Bind an API token to channels',
        description:
          'Restricts an API token of a user with a lower role, or of the caller, to some channels or tags. Empty lists remove the restriction.',
      },
      sessions: {
        summary: 'List the sessions of a user',
        description: 'Returns the sessions of a user with a lower role, latest first.',
        data: 'The sessions.',
      },
      endSessions: {
        summary: 'End all sessions of a user',
        description: 'Signs a user with a lower role out everywhere.',
      },
      models: {
        summary: 'List the models of a user',
        description: 'Returns the models that enabled channels serve to the groups of a user.',
        ...models,
      },
    },
  },
  userLimit: {
    tag: 'Users',
    params: { id: 'ID of the user.' },
    operations: {
      read: {
        summary: 'Get the effective limits of a user',
        description:
          'Returns the limits that apply to requests of a user, and the budgets of the account, its API tokens and its groups.',
      },
    },
  },
  userExport: {
    tag: 'Users',
    query: { ...userQuery, keyword: 'Exact ID, or a part of the username, display name or email address.' },
    operations: exportOperations('users'),
  },
  view: {
    tag: 'Account',
    query: { list: 'The list that the view belongs to.', name: 'Name of the view.' },
    operations: {
      list: {
        summary: 'List saved views',
        description: 'Returns the saved views that the caller has for one list, sorted by name.',
        data: 'The saved views.',
      },
      save: { summary: 'Save a view', description: 'Creates or replaces a saved view of the caller.' },
      remove: { summary: 'Delete a saved view', description: 'Deletes a saved view of the caller.' },
    },
  },
};

export const userSchemas: SchemaTexts = {
  User: {
    description: 'A user. Secrets such as the password are never returned.',
    fields: {
      status: 'Status: 1 enabled, 2 disabled.',
      email: 'Verified email address. Empty: none.',
      github_id: 'Linked GitHub account. Empty: none.',
      wechat_id: 'Linked WeChat account. Empty: none.',
      lark_id: 'Linked Lark account. Empty: none.',
      oidc_id: 'Linked OpenID Connect account. Empty: none.',
      quota: 'Remaining balance in points. Negative if a request cost more than was left.',
      used_quota: 'Points used so far.',
      request_count: 'Number of requests so far.',
      group: 'Groups of the user, separated by commas. The first group with a channel for a model is used.',
      aff_code: 'Invite code of this user. Empty: not created yet.',
      inviter_id: 'ID of the user who invited this user. 0: none.',
      tokens_locked:
        'True if an admin has disabled all API tokens of the user: only an admin can create or enable some.',
    },
    example: { id: 3, github_id: '', wechat_id: '', lark_id: '', oidc_id: '', aff_code: 'kq3x', inviter_id: 0 },
  },
  UserState: { description: 'Role and status after the change.', like: 'User' },
  UserCreateRequest: {
    description: 'A new common user.',
    like: 'User',
    fields: {
      display_name: 'Name shown in the console, at most 20 characters. Empty: the username.',
      policy: 'Limits of the user.',
    },
  },
  UserUpdateRequest: {
    description: 'A change of a user. Omitted fields are unchanged; empty ones too, except the group.',
    like: 'User',
    fields: {
      id: 'ID of the user to change.',
      username: 'New username. Empty: unchanged.',
      display_name: 'New display name. Empty: unchanged.',
      password: 'New password. Empty: unchanged.',
      group: 'New groups, separated by commas. Empty: the group `default`.',
      quota: 'New balance in points.',
      policy: 'Limits of the user.',
      quota_was: 'Balance that the caller has read. If it has changed since, the call fails and changes nothing.',
    },
    example: { password: undefined },
  },
  UserUpdateSelfRequest: {
    description: "A change of the caller's account. Empty and omitted fields are unchanged.",
    like: 'UserUpdateRequest',
  },
  UserManageRequest: {
    description: 'A change of role or status.',
    fields: {
      username: 'Username of the user to change.',
      action: '`promote` to admin (super admins only), `demote` to common user, `delete`, `enable` or `disable`.',
    },
  },
  UserTopUpRequest: {
    description: 'A top-up.',
    fields: {
      user_id: 'ID of the user to credit.',
      quota: 'Points to add.',
      remark: 'Remark for the log, at most 500 characters. Empty: none.',
    },
    example: { remark: 'Invoice 2026-01' },
  },
  UserRedeemRequest: {
    description: 'A redemption code.',
    fields: { key: 'The redemption code.' },
    example: { key: '0123456789abcdef0123456789abcdef' },
  },
  DashboardRow: {
    description: 'Consumption of one day and model.',
    fields: {
      Day: 'Day as `YYYY-MM-DD`.',
      ModelName: 'Name of the model.',
      RequestCount: 'Number of requests.',
      Quota: 'Points used.',
      PromptTokens: 'Input tokens.',
      CompletionTokens: 'Output tokens.',
    },
    example: {
      Day: '2026-01-01',
      ModelName: 'gpt-4o',
      RequestCount: 42,
      Quota: 120_000,
      PromptTokens: 1200,
      CompletionTokens: 300,
    },
  },
  UserLimits: {
    description: 'Limits and budgets that apply to a user.',
    fields: { limits: 'Limits of the requests.', budgets: 'Budgets of the account, its API tokens and its groups.' },
  },
  UserFilter: {
    description: 'Filter of the user list. All given conditions must hold.',
    fields: { ...userQuery, keyword: 'Exact ID, or a part of the username, display name or email address.' },
    example: { keyword: '', role: undefined, quota_from: undefined, quota_below: undefined },
  },
  UserBulkChange: { description: 'A change of many users.' },
  UserBulkChangeStatus: {
    description: 'Enables or disables users.',
    fields: { status: 'New status: 1 enabled, 2 disabled.' },
  },
  UserBulkChangeGroup: {
    description: 'Sets the groups of users.',
    fields: { group: 'New groups, separated by commas.' },
  },
  UserBulkChangeQuota: {
    description: 'Adds or removes points.',
    fields: {
      amount: 'Points to add; negative to remove. A balance never falls below 0.',
      reason: 'Reason, recorded in the logs.',
    },
    example: { reason: 'Refund' },
  },
  UserBulkChangeTokensOff: { description: 'Disables all API tokens of the users.' },
  SavedView: {
    description: 'Saved filters and sort order of a list.',
    fields: {
      name: 'Name of the view, at most 60 characters.',
      query: 'Query string of the list in the console, without the question mark.',
    },
    example: { name: 'Failing channels', query: 'failing=1&sort=priority' },
  },
  ViewSaveRequest: {
    description: 'A view to save.',
    like: 'SavedView',
    fields: { list: 'The list that the view belongs to.' },
  },
};
