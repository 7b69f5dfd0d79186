import { logTypeText } from './shared-fields.ts';
import type { ResourceTexts } from './types.ts';

const logQuery = {
  type: `Only logs of this type: ${logTypeText}. 0: every type.`,
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
        description:
          'Deletes all logs before a time, and the stored payloads of that period. Admins below root keep the logs that a running export has not sent.',
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
      compare: {
        summary: 'Compare two models or channels',
        description:
          'Returns requests, failures, cost, tokens and latency percentiles of two models or channels, including mirrored requests. Latencies include all groups.',
        query: {
          group: 'Only requests charged at the price of this group. Empty: all.',
          model: 'Model of the first side. Empty: every model.',
          channel: 'ID of the channel of the first side. 0: every channel.',
          other_model: 'Model of the second side. Empty: every model.',
          other_channel: 'ID of the channel of the second side. 0: every channel.',
        },
        data: 'Both sides.',
      },
      exportCosts: {
        summary: 'Export costs in the FOCUS format',
        description:
          'Returns costs by day, user, model and channel as CSV with the columns of FOCUS 1.0. Costs are in US dollars: `BilledCost` is what the gateway pays to the provider, `ListCost` what the user was charged.',
        query: {
          start_timestamp: 'A second of the first day, Unix seconds. Days are in UTC.',
          end_timestamp: 'A second of the last day, Unix seconds. At most 31 days.',
          tag: 'Key of a request tag: lines are split by its values, which are in the column `Tags`. Empty: not split.',
        },
        data: 'A line of the file: values by column.',
      },
      tags: {
        summary: 'List tag keys',
        description: 'Returns the allowed keys of request tags.',
        data: 'The allowed keys.',
      },
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
