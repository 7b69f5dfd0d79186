import type { ResourceTexts, SchemaTexts } from './types.ts';

const logType = '1 top-up, 2 consumption, 3 management, 4 system, 5 failed request';

const logQuery = {
  type: `Only logs of this type: ${logType}. 0: every type.`,
  contains:
    'Filters that match a part of the value instead of the whole, separated by commas: `token_name`, `model_name`, `username`.',
  before:
    'Only logs after this one in the list, as `created_at-id`, for paging without page numbers. Empty: from the start.',
  group: 'Only requests charged to this group. Empty: every group.',
  user_id: 'Only logs of the user with this ID. 0: every user.',
  username: 'Only logs of this user. Empty: every user.',
  about:
    'Only audit events of one redemption code (`redemption:12`) or one settings section (`settings:smtp`). Empty: no filter.',
  keyword: 'A log type, or a part of the content, ignoring case.',
  after: 'Only logs newer than this one, as `created_at-id`, to follow the log. Empty: all.',
  view: 'Part of the log: `requests`, `audit` (one entry per bulk change) or `system` (top-ups and system events). Empty: the whole log.',
  status: 'Only requests that failed with this HTTP status. 200: only requests that succeeded. 0: every request.',
  tag: 'Only requests with this tag, such as `team=search`, ignoring case. Only the newest 20,000 logs that match the other filters are searched.',
  text: 'A part of the content, ignoring case. Only the newest 20,000 logs that match the other filters are searched.',
  channel_name: 'Only logs of channels whose name contains this, ignoring case. Empty: every channel.',
};

const summary = { data: 'The logs of the page.' };

export const logResources: ResourceTexts<'log' | 'usage' | 'statement' | 'home' | 'keptBody'> = {
  log: {
    tag: 'Logs',
    query: logQuery,
    operations: {
      list: {
        summary: 'List logs',
        description: 'Returns one page of the logs of all users, newest first. Counting stops at 10,000.',
        ...summary,
      },
      listOwn: {
        summary: 'List your logs',
        description: 'Returns one page of the logs of the caller, newest first. Counting stops at 10,000.',
        ...summary,
      },
      export: {
        summary: 'Export logs',
        description: 'Streams the logs of all users that match the filters as a file, newest first.',
      },
      exportOwn: {
        summary: 'Export your logs',
        description: 'Streams the logs of the caller that match the filters as a file, newest first.',
      },
      stat: {
        summary: 'Sum up consumption',
        description: 'Returns the points that requests of all users consumed, of the logs that match the filters.',
      },
      statOwn: {
        summary: 'Sum up your consumption',
        description: 'Returns the points that requests of the caller consumed, of the logs that match the filters.',
      },
      histogram: {
        summary: 'Count logs over time',
        description:
          'Returns requests and failures of all users in at most 60 bars. Bars of an hour and longer are whole hours. Cached for 30 seconds.',
      },
      histogramOwn: {
        summary: 'Count your logs over time',
        description:
          'Returns requests and failures of the caller in at most 60 bars. Bars of an hour and longer are whole hours. Cached for 30 seconds.',
      },
      facets: {
        summary: 'Count filter values',
        description:
          'Returns the most frequent values in the newest 10,000 matching logs of all users. Cached for 30 seconds.',
      },
      facetsOwn: {
        summary: 'Count filter values of your logs',
        description:
          'Returns the most frequent values in the newest 10,000 matching logs of the caller. Cached for 30 seconds.',
      },
      entry: {
        summary: 'Get a log',
        description: 'Returns one log of any user.',
        query: { key: 'Cursor of the log, `created_at-id`, or a request ID.' },
      },
      entryOwn: {
        summary: 'Get one of your logs',
        description: 'Returns one log of the caller.',
        query: { key: 'Cursor of the log, `created_at-id`, or a request ID.' },
      },
      search: {
        summary: 'Search logs',
        description: 'Returns the latest 100 logs of a type, or whose content matches.',
        data: 'The logs, newest first.',
      },
      searchOwn: {
        summary: 'Search your logs',
        description: 'Returns the latest 100 logs of the caller of a type, or whose content matches.',
        data: 'The logs, newest first.',
      },
      suggest: {
        summary: 'Suggest filter values',
        description: 'Returns a few users, API tokens, models or channels whose name matches, for the log filters.',
        query: { field: 'The filter to suggest values for.', keyword: 'A part of the name, ignoring case.' },
        data: 'The suggestions.',
      },
      suggestOwn: {
        summary: 'Suggest filter values for your logs',
        description: 'Returns a few API tokens of the caller, or models the caller used, whose name matches.',
        query: { field: 'The filter to suggest values for.', keyword: 'A part of the name, ignoring case.' },
        data: 'The suggestions.',
      },
      failures: {
        summary: 'Count failed requests',
        description: 'Returns failed requests by channel and reason, most frequent first. Periods are whole hours.',
        data: 'One entry per channel and reason.',
      },
      clean: {
        summary: 'Delete old logs',
        description: 'Deletes all logs before a time, and the stored payloads of that period.',
        query: { target_timestamp: 'Logs before this time are deleted, Unix seconds. Required, not 0.' },
        data: 'Number of logs deleted.',
        dataExample: 1200,
      },
    },
  },
  statement: {
    tag: 'Usage',
    params: { id: 'ID of the user.' },
    query: {
      start_timestamp: 'First second of the period, Unix seconds. Usage is rounded to whole hours.',
      end_timestamp: 'Last second of the period, Unix seconds, at most 370 days after the first.',
    },
    operations: {
      own: {
        summary: 'Get your statement',
        description: 'Returns the usage of the caller by model, and the credits of the account.',
      },
      read: {
        summary: 'Get the statement of a user',
        description: 'Returns the usage of a user with a lower role by model, and the credits of the account.',
      },
    },
  },
  usage: {
    tag: 'Usage',
    query: {
      measure:
        'The measure by which rows and columns are ranked. `margin`: quota minus cost, without requests whose cost is unknown.',
      order: '`desc`: largest first. `asc`: smallest first, such as loss-makers with `margin`.',
      top: 'Number of rows and columns to name, at most 50. The rest is added up as "others".',
      zone: 'IANA time zone in which days, weeks and months start.',
      start_timestamp: 'First second of the period, Unix seconds, rounded to whole hours. 0: since the first log.',
      rows: 'What the rows are grouped by.',
      columns: 'What the columns are grouped by. Empty: one column.',
      tag: 'Key of a request tag, such as `team`; required to group by `tag` and for `tag_value`.',
      tag_value: 'Only requests whose tag has this value. Empty: all.',
    },
    operations: {
      read: {
        summary: 'Get a usage report',
        description: 'Returns the usage of all users as a table, from hourly rollups.',
      },
      readOwn: {
        summary: 'Get your usage report',
        description: 'Returns the usage of the caller as a table, from hourly rollups.',
      },
      tags: { summary: 'List tag keys', description: 'Returns the allowed keys of request tags.' },
    },
  },
  home: {
    tag: 'Dashboard',
    operations: {
      read: {
        summary: 'Get the admin dashboard',
        description:
          'Returns spend, requests, failures and latency of a period of up to 62 days and of the period before it, failing channels, and the ledger check.',
        query: { start_timestamp: 'Start of the period, Unix seconds, rounded to the hour. 0: 61 days ago.' },
      },
      readOwn: {
        summary: 'Get your dashboard',
        description:
          'Returns the API tokens of the caller that expire within a week or have little quota left, and the setup steps.',
      },
    },
  },
  keptBody: {
    tag: 'Payload logging',
    params: { id: 'ID of the user.', request_id: 'ID of the relayed request.' },
    operations: {
      own: {
        summary: 'Get your payload logging',
        description: 'Tells whether payloads of the caller and of their API tokens are stored, and for how long.',
      },
      keepOwn: {
        summary: 'Enable payload logging for your API token',
        description: 'Stores the payloads of an API token of the caller. Fails unless users may enable it.',
      },
      endOwn: {
        summary: 'Disable payload logging for your API token',
        description: 'Stops storing payloads of an API token, given by its ID. Stored payloads stay until they expire.',
      },
      forgetOwn: {
        summary: 'Delete your stored payloads',
        description: 'Deletes all stored payloads of the caller.',
        data: 'Number of requests whose payloads were deleted.',
        dataExample: 42,
      },
      of: {
        summary: 'Get payload logging of a user',
        description: 'Tells whether payloads of a user with a lower role, or of the caller, are stored.',
      },
      keep: {
        summary: 'Enable payload logging for a user',
        description: 'Stores the payloads of a user, or of one of their API tokens.',
      },
      end: {
        summary: 'Disable payload logging for a user',
        description:
          'Stops storing payloads of a user, or of one of their API tokens. Stored payloads stay until they expire.',
        query: { token_id: 'ID of the API token. Omitted: the rule of the user.' },
      },
      forgetOf: {
        summary: 'Delete stored payloads of a user',
        description: 'Deletes all stored payloads of a user.',
        data: 'Number of requests whose payloads were deleted.',
        dataExample: 42,
      },
      readOwn: {
        summary: 'Read the payloads of your request',
        description: 'Returns the stored payloads of a request of the caller. A POST, so that no cache keeps them.',
      },
      read: {
        summary: 'Read the payloads of a request',
        description:
          'Returns the stored payloads of a request of a user with a lower role. The access is recorded in the log of that user.',
      },
      forgetOneOwn: {
        summary: 'Delete the payloads of your request',
        description: 'Deletes the stored payloads of a request of the caller.',
      },
      forgetOne: {
        summary: 'Delete the payloads of a request',
        description: 'Deletes the stored payloads of a request of a user with a lower role.',
      },
    },
  },
};

export const logSchemas: SchemaTexts = {
  FailureReason: { description: 'Why a request or test failed. Empty: it did not fail.' },
  Log: {
    description: 'A request, a top-up, an audit event or a system event.',
    fields: {
      user_id: 'ID of the user the log belongs to.',
      created_at: 'Time of the event, Unix seconds.',
      type: `Type: ${logType}. A failed request that cost points is consumption.`,
      content: 'What happened, in English.',
      username: 'Name of the user at that time.',
      token_name: 'Name of the API token. Empty: not a request.',
      model_name: 'Name of the model. Empty: not a request.',
      quota: 'Points charged or added.',
      channel: 'ID of the channel that served the request. 0: none.',
      request_id: 'ID of the request. Empty: not a request.',
      elapsed_time: 'Duration of the request, in milliseconds.',
      is_stream: 'True: the response was streamed.',
      system_prompt_reset: 'True: the channel replaced the system prompt.',
      ended_by: 'Who ended the request early. Empty: it completed, or the log is not about a request.',
      detail: 'JSON text with the cost breakdown and the attempts, or with the values of an audit event. Empty: none.',
      group: 'Group by which the request was charged. Empty: not a request, or an old log.',
      first_byte_time: 'Milliseconds until a streamed response started. 0: not streamed, or no response.',
      status: 'HTTP status of a failed request. 0: none.',
      cache_write_tokens: 'Input tokens that the upstream wrote to its prompt cache.',
      reasoning_tokens: 'Output tokens used for reasoning.',
      cost: 'Cost to the operator at the upstream, in points. 0 for callers who are not admins.',
      node: 'Node that served the request. Empty: there is only one.',
      channel_name: 'Current name of the channel, in lists for admins. Empty: deleted, or not for the caller.',
    },
    example: {
      type: 2,
      content: '',
      quota: 3000,
      channel: 7,
      elapsed_time: 1840,
      ended_by: '',
      detail: '',
      first_byte_time: 420,
      status: 0,
      reason: '',
      system_prompt_reset: false,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      cost: 2400,
      node: '',
      channel_name: 'openai-eu',
    },
  },
  QuotaSum: { description: 'Sum of the matching logs.', fields: { quota: 'Points consumed.' } },
  LogSuggestion: {
    description: 'A suggested filter value.',
    fields: {
      value: 'Value of the filter.',
      name: 'Name of a channel whose ID is the value. Empty for other filters.',
    },
    example: { name: 'OpenAI' },
  },
  FailureCount: {
    description: 'Failed requests of one channel and reason.',
    fields: {
      channel: 'ID of the channel. 0: rejected before routing.',
      channel_name: 'Name of the channel. Empty: none, or it was deleted.',
      status: 'One of the HTTP statuses that were returned.',
      rows: 'Number of failed requests.',
      last_hour: 'First second of the last hour with such a failure, Unix seconds.',
    },
    example: {
      channel: 7,
      channel_name: 'OpenAI',
      reason: 'rate_limited',
      status: 429,
      rows: 12,
      last_hour: 1_767_308_400,
    },
  },
};
