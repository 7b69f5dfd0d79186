import type { SchemaTexts } from './types.ts';

const from = 'First second of the period, Unix seconds.';
const to = 'Last second of the period, Unix seconds.';
const period = { from: 1_767_225_600, to: 1_767_311_999 };

const statementTotals = {
  requests: 'Number of requests, including failed ones.',
  failures: 'Number of failed requests.',
  quota: 'Points charged.',
};

export const usageSchemas: SchemaTexts = {
  Statement: {
    description: 'Usage and credits of one user in a period.',
    fields: {
      from,
      to,
      models: 'Usage by model, most expensive first, at most 50; the rest is added up.',
      total: 'Usage of all models.',
      credits: 'Changes of the balance other than requests, oldest first, at most 1000.',
      credited: 'Sum of the known amounts of the credits, in points.',
      planned: 'Usage paid for by plans, in points.',
      opening: 'Balance at the start, in points. Null: unknown, because logs were deleted or have no amount.',
      document:
        'Number, seller and taxes. Null: no seller, tax or numbering is configured, or the statement of a member or project.',
      closing: 'Balance at the end, in points: `opening` + `credited` − `total.quota` + `planned`. Null: unknown.',
    },
    example: { ...period, credited: 500_000, planned: 20_000, opening: 80_000, closing: 480_000, document: null },
  },
  StatementTotals: {
    description: 'Usage of all models.',
    fields: statementTotals,
    example: { requests: 42, failures: 1, quota: 120_000 },
  },
  StatementModel: {
    description: 'Usage of one model.',
    fields: { ...statementTotals, model: 'Name of the model. Empty: all other models.' },
    example: { model: 'gpt-4o', requests: 42, failures: 1, quota: 120_000 },
  },
  StatementCredit: {
    description: 'A top-up, gift or edit of the balance.',
    fields: {
      time: 'Time of the change, Unix seconds.',
      content: 'Description in English.',
      detail: 'Event and values of the description as JSON text. Empty: unknown.',
      amount: 'Change in points. Null: not recorded, as for gifts and edits logged by version 1.0.',
    },
    example: {
      content: 'root added $1.00',
      detail: '{"event":"user.topped_up","values":{"admin":"root","amount":"$1.00"}}',
      amount: 500_000,
    },
  },
  UsageTotals: {
    description: 'Totals of a row, a column or a cell.',
    fields: {
      requests: 'Number of requests, including failed ones.',
      failures: 'Number of failed requests.',
      quota: 'Points charged.',
      uncosted_quota: 'Points charged for requests whose cost is unknown. 0 for callers who are not admins.',
    },
    example: { uncosted_quota: 0, requests: 42, failures: 1, cost: 96_000 },
  },
  UsageCompareData: {
    description: 'Usage of two models or channels.',
    fields: { first: 'The first side.', second: 'The second side.' },
  },
  UsageCompareDataFirst: {
    description: 'Usage of a model, a channel or both.',
    fields: {
      requests: 'Number of requests, including failed ones.',
      failures: 'Number of failed requests.',
      quota: 'Points charged.',
      uncosted_quota: 'Points charged for requests whose cost is unknown.',
      first_byte: 'Time to the first byte of streams.',
      elapsed: 'Total duration.',
    },
    example: { requests: 42, failures: 1, quota: 120_000, cost: 96_000, uncosted_quota: 0 },
  },
  UsageCompareDataFirstFirstByte: {
    description: 'Percentiles in milliseconds, accurate to about 10 %. Null: no requests.',
    fields: { p50: 'Median.', p95: '95th percentile.', p99: '99th percentile.' },
    example: { p50: 640, p95: 2100, p99: 4800 },
  },
  UsageTagsData: {
    description: 'Keys of request tags.',
    fields: { keys: 'Allowed keys, in the order of the settings. Empty: request tags are off.' },
    example: { keys: ['team', 'feature'] },
  },
  UsageHeading: {
    description: 'A row or a column.',
    fields: {
      key: 'Value to filter logs by: a name, an ID, or the date on which a period starts. Empty for "others".',
      label: 'Label to show.',
      is_others: 'True: all that are not named.',
      username: 'Owner of an API token. Empty for other groupings.',
      from: 'First second of a period, Unix seconds. 0: the heading is not a period.',
      to: 'Last second of a period, Unix seconds. 0: the heading is not a period.',
      total: 'Totals of the row or column.',
    },
    example: { key: 'gpt-4o', label: 'gpt-4o', is_others: false, username: '', from: 0, to: 0 },
  },
  UsageReport: {
    description: 'Usage as a table of rows and columns.',
    fields: {
      from,
      to,
      first: 'Time of the first log, Unix seconds. 0: there are no logs.',
      is_rounded: 'True: the time zone is not a whole number of hours from UTC, so days start up to half an hour off.',
      rows: 'The rows, highest first, or in order of time.',
      columns: 'The columns, highest first, or in order of time.',
      cells: 'Totals by row and column. Without a column grouping every row has one cell.',
      total: 'Totals of the whole table.',
    },
    example: { ...period, first: 1_735_689_600, is_rounded: false, columns: [] },
  },
  Dashboard: {
    description: 'Figures of the admin home page.',
    fields: {
      from,
      to,
      now: 'Figures of the period.',
      before: 'Figures of the period before. Null: the logs do not go back that far.',
      channels: 'State of the channels.',
      ledger: 'Result of the ledger check.',
      steps: 'Setup steps of a new gateway.',
    },
    example: { ...period, before: null },
  },
  DashboardFigures: {
    description: 'Figures of a period.',
    fields: {
      requests: 'Number of requests, including failed ones.',
      failures: 'Number of failed requests.',
      quota: 'Points charged.',
      cost: 'Cost to the operator at the upstreams, in points.',
      elapsed_p50: 'Median duration of a request, in milliseconds. 0: no data.',
      elapsed_p95: '95th percentile of the duration, in milliseconds. 0: no data.',
      first_byte_p50: 'Median time to the first byte, in milliseconds. 0: no data.',
    },
    example: { requests: 42, failures: 1, cost: 96_000, elapsed_p50: 1800, elapsed_p95: 6200, first_byte_p50: 420 },
  },
  DashboardChannels: {
    description: 'State of the channels.',
    fields: {
      total: 'Number of channels in use.',
      failing: 'Number of channels whose last test or request failed.',
      cooling_down: 'Number of channels that are cooling down on this node.',
      disabled_by_monitor: 'Number of automatically disabled channels.',
      troubled: 'Up to five failing channels, latest failure first.',
    },
    example: { total: 12, failing: 1, cooling_down: 0, disabled_by_monitor: 0 },
  },
  FailingChannel: {
    description: 'A failing channel with its last failure.',
    fields: {
      id: 'ID of the channel.',
      name: 'Name of the channel.',
      status: 'HTTP status of the upstream. 0: no response.',
      time: 'Time of the failure, Unix seconds.',
      cooldown_seconds: 'Remaining cooldown on this node, in seconds. 0: not cooling down.',
    },
    example: {
      name: 'OpenAI',
      reason: 'rate_limited',
      status: 429,
      message: 'Rate limit reached',
      cooldown_seconds: 0,
    },
  },
  DashboardLedger: { description: 'Result of the ledger check.' },
  SetupSteps: {
    description: 'Setup steps. True: done.',
    fields: {
      password: 'The default password was changed.',
      channel: 'A channel exists.',
      tested: 'A channel test succeeded.',
      token: 'The caller has an API token.',
      request: 'A request was served.',
    },
  },
  OwnDashboard: {
    description: 'Figures of the home page of a user.',
    fields: {
      tokens: 'API tokens that expire within a week or have less than a tenth of their quota left.',
      steps: 'Setup steps.',
    },
  },
  ExpiringToken: { description: 'An API token that expires soon or runs low.', like: 'Token' },
  PayloadLogging: {
    description: 'Payload logging of a user.',
    fields: {
      is_on: 'True: the gateway allows payload logging.',
      is_for_owners: 'True: users may enable it for their own API tokens.',
      keepings: 'Rules of the account and its API tokens.',
      kept: 'Number of requests whose payloads are stored.',
    },
    example: { kept: 42 },
  },
  PayloadLoggingRule: {
    description: 'A rule that stores payloads of a user or an API token.',
    fields: {
      kind: 'What the rule applies to.',
      owner_id: 'ID of the user or API token.',
      is_own: 'True: set by the user, who may remove it. False: set by an admin.',
    },
    example: { kind: 'token' },
  },
  KeptBodyKeepOwnRequest: {
    description: 'Payload logging for an API token of the caller.',
    fields: { token_id: 'ID of the API token.' },
  },
  KeptBodyKeepRequest: {
    description: 'Payload logging for a user.',
    fields: { token_id: 'ID of an API token of the user. Omitted: all requests of the user.' },
  },
  KeptBodyReadOwnRequest: { description: 'The request to read.' },
  KeptBodyReadRequest: { description: 'The request to read.' },
  StoredPayloads: {
    description: 'Stored payloads of one request.',
    fields: {
      created_time: 'Time of the request, Unix seconds.',
      expires_time: 'Time of deletion, Unix seconds.',
      status: 'HTTP status returned to the client.',
      headers: 'Headers of the request, without credentials.',
      request: 'Payload of the request.',
      answer: 'Payload of the response.',
    },
    example: {
      expires_time: 1_767_312_000,
      status: 200,
      headers: { 'user-agent': 'openai-python/2.0' },
      answer: { text: '{"choices":[]}', is_text: true, bytes: 14, is_cut: false },
    },
  },
  StoredPayload: {
    description: 'One stored payload.',
    fields: {
      text: 'The payload, or its beginning. Base64 if it is not text.',
      is_text: 'False: `text` is Base64.',
      bytes: 'Original size in bytes.',
      is_cut: 'True: only the beginning is stored.',
    },
    example: { text: '{"model":"gpt-4o"}', bytes: 18, is_cut: false },
  },
};
