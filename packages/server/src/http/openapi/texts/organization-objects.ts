import type { ResourceTexts, SchemaTexts } from './types.ts';

export const organizationObjectResources: ResourceTexts<
  'organizationToken' | 'organizationBudget' | 'organizationUsage' | 'project' | 'serviceAccount'
> = {
  organizationToken: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.', token: 'ID of the API token.' },
    query: {
      status: 'Only API tokens with this status: 1 enabled, 2 disabled, 3 expired, 4 exhausted. Omitted: every status.',
      keyword: 'A part of the name, ignoring case. Empty: all API tokens.',
      creator_id: 'Only API tokens of the member with this user ID. 0: of service accounts. Omitted: all.',
      project_id: 'Only API tokens of this project. 0: without a project. Omitted: all.',
      service_account_id: 'Only API tokens of this service account. 0: of members. Omitted: all.',
    },
    operations: {
      list: {
        summary: 'List API tokens of an organization',
        description: 'Returns one page of the API tokens, without keys. Members see their own.',
        data: 'The API tokens of the page.',
      },
      get: {
        summary: 'Get an API token of an organization',
        description:
          'Returns one API token. The key is included for the member who uses it and, for service accounts, for members who manage tokens.',
      },
      create: {
        summary: 'Create an API token of an organization',
        description: 'Creates an API token that the organization pays for, for the caller or a service account.',
      },
      update: {
        summary: 'Update an API token of an organization',
        description:
          'Changes an API token. Omitted fields are unchanged. Owners and admins of the organization change the project, and only they can enable what they have disabled.',
      },
      rotate: {
        summary: 'Rotate the key of an API token of an organization',
        description: 'Gives an API token a new key. The old key keeps working for the grace period.',
      },
      remove: { summary: 'Delete an API token of an organization', description: 'Deletes an API token.' },
      move: {
        summary: 'Change who pays for an API token',
        description:
          'Moves an API token of the caller to an organization, or back to the account of the caller. Requests that have arrived are charged to the previous payer. The path contains the ID of the API token.',
      },
    },
  },
  organizationBudget: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.', budget: 'ID of the budget.' },
    operations: {
      list: {
        summary: 'List budgets of an organization',
        description: 'Returns the budgets of an organization, its members, projects and API tokens.',
        data: 'The budgets, newest first.',
      },
      create: {
        summary: 'Create a budget in an organization',
        description: 'Creates a budget for the organization, a member, a project or an API token.',
      },
      update: {
        summary: 'Update a budget of an organization',
        description: 'Changes a budget. Omitted fields are unchanged. A new period or time zone starts a new period.',
      },
      remove: { summary: 'Delete a budget of an organization', description: 'Deletes a budget.' },
    },
  },
  organizationUsage: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.' },
    query: {
      member_id: 'Only requests of the member with this user ID. 0: all.',
      project_id: 'Only requests of this project. 0: all.',
      service_account_id: 'Only requests of this service account. 0: all.',
      type: 'Only logs of this type. 0: every type.',
      contains: 'Names of filters, separated by commas, that match a part of the value, ignoring case.',
      view: 'Part of the log: `requests`, `audit` or `system`. Empty: the whole log.',
      status: 'HTTP status of a failure, or 200 for requests that succeeded. 0: any.',
      text: 'Part of the content, ignoring case, in the newest logs.',
      tag: 'Only requests with this tag, such as `team=search`. Empty: any.',
      before: 'Only logs before this cursor. Empty: from the newest.',
      after: 'Only logs after this cursor. Empty: no limit.',
      rows: 'What the rows are.',
      columns: 'What the columns are. Empty: no columns.',
      measure: 'Measure by which rows are ranked.',
      top: 'Number of named rows and columns; the rest is summed up.',
      zone: 'IANA time zone in which days, weeks and months start.',
    },
    operations: {
      logs: {
        summary: 'List logs of an organization',
        description:
          'Returns one page of the logs, newest first. Members see their own requests, among the newest 20,000 of the organization.',
        data: 'The logs of the page.',
      },
      exportLogs: {
        summary: 'Export logs of an organization',
        description: 'Returns the logs as a file. Members get their own requests.',
      },
      usage: {
        summary: 'Get usage of an organization',
        description:
          'Returns usage by member, project, service account, model, API token or time. Members get their own usage.',
      },
      statement: {
        summary: 'Get a statement of an organization',
        description:
          'Returns usage by model and credits of the organization, or the usage of one member or project. Members can read their own.',
      },
    },
  },
  project: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.', project: 'ID of the project.' },
    operations: {
      list: {
        summary: 'List projects',
        description: 'Returns the projects of an organization by name.',
        data: 'The projects.',
      },
      get: { summary: 'Get a project', description: 'Returns one project of an organization.' },
      create: { summary: 'Create a project', description: 'Creates a project.' },
      update: { summary: 'Update a project', description: 'Changes a project. Omitted fields are unchanged.' },
      remove: { summary: 'Delete a project', description: 'Deletes a project without API tokens.' },
    },
  },
  serviceAccount: {
    tag: 'Organizations',
    params: { id: 'ID of the organization.', service_account: 'ID of the service account.' },
    operations: {
      list: {
        summary: 'List service accounts',
        description: 'Returns the service accounts of an organization by name.',
        data: 'The service accounts.',
      },
      create: { summary: 'Create a service account', description: 'Creates a service account.' },
      remove: {
        summary: 'Delete a service account',
        description: 'Deletes a service account without API tokens.',
      },
    },
  },
};

const tokenOwners = {
  creator_id: 'User ID of the member who uses the API token. 0: a service account.',
  creator: 'Username of the member. Empty: a service account, or the member has left.',
  project_id: 'ID of the project. 0: none.',
  project: 'Name of the project. Empty: none.',
  service_account_id: 'ID of the service account. 0: an API token of a member.',
  service_account: 'Name of the service account. Empty: an API token of a member.',
};
const tokenExample = {
  user_id: 31,
  creator_id: 7,
  creator: 'ada',
  project_id: 3,
  project: 'Search',
  service_account_id: 0,
  service_account: '',
};

export const organizationObjectSchemas: SchemaTexts = {
  OrganizationToken: {
    description: 'An API token that an organization pays for.',
    like: 'Token',
    fields: { ...tokenOwners, user_id: 'ID of the organization.' },
    example: tokenExample,
  },
  OrganizationTokenCreateRequest: {
    description: 'A new API token of an organization.',
    like: 'OrganizationToken',
    fields: { service_account_id: 'ID of the service account that owns the API token. 0: the caller uses it.' },
    example: { project_id: 3 },
  },
  OrganizationTokenUpdateRequest: {
    description: 'A change of an API token of an organization. Omitted fields are unchanged.',
    like: 'OrganizationToken',
    fields: {
      id: 'ID of the API token to change.',
      status: 'New status: 1 enabled, 2 disabled. 3 and 4 are accepted and ignored.',
      remain_quota_was:
        'Remaining points that the caller has read. If they have changed since, the call fails and changes nothing.',
    },
    example: { project_id: 3 },
  },
  OrganizationTokenRotateRequest: {
    description: 'Rotation of a key.',
    fields: { grace: 'Seconds for which the old key keeps working, at most 30 days. 0: it ends now.' },
    example: { grace: 86_400 },
  },
  OrganizationTokenMoveRequest: {
    description: 'The new payer of an API token.',
    fields: {
      organization_id: 'ID of the organization that pays from now on. 0: the account of the caller.',
      project_id: 'ID of a project of the organization. 0: none.',
    },
    example: { organization_id: 31, project_id: 0 },
  },
  OrganizationBudgetCreateRequest: {
    description: 'A new budget in an organization.',
    like: 'Budget',
    fields: {
      kind: 'Kind of the owner: `member`, `project`, `token`, or `user` for the organization itself.',
      owner_id: 'User ID of the member, or ID of the project or API token. 0 for the organization itself.',
    },
    example: { kind: 'member', owner_id: 7 },
  },
  Project: {
    description: 'A project: budget and allowed models between an organization and its API tokens.',
    fields: {
      organization_id: 'ID of the organization.',
      name: 'Name of the project, at most 60 characters.',
      models:
        'Models that API tokens of the project may use, separated by commas; `*` matches any characters. Empty: all.',
      fixed_tags: 'Tags of all requests, such as `team=search`, separated by commas. Clients cannot change them.',
      status: 'Status: 1 enabled, 2 disabled. API tokens of a disabled project are rejected.',
      tokens: 'Number of API tokens.',
    },
    example: { organization_id: 31, name: 'Search', models: 'gpt-*', fixed_tags: 'team=search', tokens: 2 },
  },
  ProjectCreateRequest: { description: 'A new project.', like: 'Project' },
  ProjectUpdateRequest: {
    description: 'A change of a project. Omitted fields are unchanged.',
    like: 'Project',
    fields: { id: 'ID of the project to change.' },
  },
  ServiceAccount: {
    description: 'A service account: owner of API tokens that belong to no member.',
    fields: {
      organization_id: 'ID of the organization.',
      name: 'Name of the service account, at most 60 characters.',
      tokens: 'Number of API tokens.',
    },
    example: { organization_id: 31, name: 'CI', tokens: 1 },
  },
  ServiceAccountCreateRequest: { description: 'A new service account.', like: 'ServiceAccount' },
};
