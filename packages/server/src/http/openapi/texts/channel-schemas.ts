import type { FieldTexts, SchemaTexts } from './types.ts';

const channelStatus = '1 enabled, 2 disabled manually, 3 disabled automatically';

export const channelFilterTexts: FieldTexts = {
  keyword: 'Exact ID or key, or a part of the name, ignoring case. Empty: all channels.',
  status: `Only channels with this status: ${channelStatus}. Omitted: every status.`,
  type: 'Only channels of this type.',
  group: 'Only channels that serve this group.',
  model: 'Only channels that serve this model.',
  tag: 'Only channels with this tag.',
  failing: '1: only enabled channels whose last test or request failed.',
  cooling_down: '1: only channels that are cooling down on this node.',
};

const testOutcome: FieldTexts = {
  model: 'Model that was tested.',
  ms: 'Milliseconds until the response, or until the failure.',
  reason: 'Why the test failed. Empty: it succeeded.',
  message: 'Error message of the upstream. Empty: none.',
  status: 'HTTP status of the upstream. 0: no response.',
};

const testExample = { model: 'gpt-4o-mini', reason: '', status: 200, became: '' };
const upstreamStatus = 'HTTP status of the upstream. 0: no response, or no failure.';

export const channelSchemas: SchemaTexts = {
  Channel: {
    description: 'A connection to an upstream provider.',
    fields: {
      type: 'ID of the channel type, such as 1 for OpenAI. Listed in the provider guide.',
      key: 'Always empty: keys are write-only.',
      status: `Status: ${channelStatus}.`,
      status_reason: 'Why the channel was disabled. Empty: unknown, or it is enabled.',
      name: 'Name of the channel, at most 100 characters.',
      weight: 'Share of the requests among channels of the same priority. 0 and null count as 1.',
      test_time: 'Time of the last test, Unix seconds. 0: never tested.',
      response_time: 'Duration of the last test, in milliseconds. 0: never tested.',
      base_url: 'Base URL of the upstream. Empty or null: the default of the channel type.',
      other: 'Additional setting of some channel types, such as the API version for Azure. Empty or null: none.',
      balance: 'Balance at the provider, in the currency of the provider. 0 until it is read.',
      balance_updated_time: 'Time when the balance was read, Unix seconds. 0: never.',
      models: 'Models the channel serves, separated by commas.',
      group: 'Groups the channel serves, separated by commas.',
      used_quota: 'Points charged for requests served by the channel.',
      model_mapping: 'JSON object that maps requested model names to upstream model names. Empty or null: no mapping.',
      priority: 'Priority. Channels with the highest value are tried first. Null: 0.',
      config: 'JSON object with settings of the channel type. Secret values are returned empty.',
      system_prompt: "Replaces the system prompt of every request. Empty or null: the request's own.",
      purchase:
        "JSON object with the operator's cost: `multiplier` of the list price, and `models` by name or pattern, in dollars (`input`, `output`, `cached`, `cache_write`, `call`) or with a `multiplier`. Empty: list prices.",
      rules: 'JSON array of rules that change upstream requests, in order. Empty: none.',
      is_failing: 'True: the last test or request failed.',
      cooldown_seconds: 'Remaining cooldown on this node, in seconds. 0: not cooling down.',
      paused_models: 'Models that are skipped until a test succeeds. An empty name stands for all models.',
      test_reason: 'Why the last test failed. Empty: it succeeded, or there was none.',
      test_message: 'Error message of the last test. Empty: none.',
      test_status: upstreamStatus,
      tested_model: 'Model of the last test. Empty: never tested.',
      failure_time: 'Time of the last failed request, Unix seconds. 0: none.',
      failure_reason: 'Why the last failed request failed. Empty: none failed.',
      failure_message: 'Error message of the last failed request. Empty: none.',
      failure_status: upstreamStatus,
      failure_model: 'Model of the last failed request. Empty: none.',
      failure_count: 'Failed requests since the last successful one.',
      key_strategy:
        'How a key is selected: `round_robin`, `random` (both by weight), or `least_used` (fewest requests in flight).',
      key_count: 'Number of keys. 0: one key without a state of its own.',
      enabled_key_count: 'Number of enabled keys. 0 if `key_count` is 0.',
    },
    example: {
      type: 1,
      key: '',
      name: 'OpenAI',
      response_time: 640,
      base_url: '',
      other: '',
      balance: 12.5,
      balance_updated_time: 1_767_312_000,
      model_mapping: '{"gpt-4":"gpt-4o"}',
      config: '',
      system_prompt: '',
      purchase: '',
      rules: '',
      is_failing: false,
      cooldown_seconds: 0,
      paused_models: [],
      test_reason: '',
      test_status: 200,
      failure_time: 0,
      failure_reason: '',
      failure_status: 0,
      failure_model: '',
      failure_count: 0,
      key_strategy: 'round_robin',
      key_count: 0,
      enabled_key_count: 0,
    },
  },
  ExportedChannel: {
    description: 'A channel without its key, configuration and momentary state.',
    like: 'Channel',
  },
  ChannelCreateRequest: {
    description: 'A new channel.',
    like: 'Channel',
    fields: { key: 'API key of the provider. Several lines create one channel each.' },
    example: { key: 'sk-provider-key' },
  },
  ChannelCreateData: {
    description: 'IDs of new channels.',
    fields: { id: 'ID of the first channel.', ids: 'IDs of all channels, one per key.' },
    example: { id: 7, ids: [7] },
  },
  ChannelUpdateRequest: {
    description: 'A change of a channel. Omitted fields are unchanged; empty ones are cleared, except the key.',
    like: 'Channel',
    fields: {
      id: 'ID of the channel to change.',
      key: 'New API key of the provider; it replaces all stored keys. Empty: unchanged.',
      status: 'New status: 1 enabled, 2 disabled.',
    },
  },
  ChannelUpstreamModelsWithRequest: {
    description: 'Settings of a channel that is not saved yet.',
    like: 'Channel',
    fields: {
      id: 'ID of a saved channel whose key is used if `key` is empty.',
      key: 'API key of the provider. Empty: the key of the channel with this ID.',
    },
    example: { key: 'sk-provider-key', id: undefined },
  },
  ChannelFilter: {
    description: 'Filter of the channel list. All given conditions must hold.',
    fields: channelFilterTexts,
    example: { keyword: '', type: undefined, failing: undefined, cooling_down: undefined },
  },
  ChannelTag: {
    description: 'A tag in use.',
    fields: { tag: 'The tag.', count: 'Number of channels with the tag.', enabled: 'Number of those enabled.' },
    example: { count: 4, enabled: 3 },
  },
  ModelObject: {
    description: 'A model in the format of OpenAI.',
    fields: {
      id: 'Name of the model.',
      object: 'Always `model`.',
      created: 'Creation time, Unix seconds.',
      owned_by: 'Provider of the model.',
    },
    example: { id: 'gpt-4o', object: 'model', created: 1_715_367_049, owned_by: 'openai' },
  },
  ChannelTestProgress: {
    description: 'Progress of a background test.',
    fields: {
      running: 'True: the test is running.',
      done: 'Number of channels tested.',
      failed: 'Number of channels that failed.',
      total: 'Number of channels to test.',
    },
    example: { done: 8, failed: 1, total: 12 },
  },
  ChannelTestResult: {
    description: 'Test result of one channel.',
    fields: {
      ...testOutcome,
      id: 'ID of the channel.',
      name: 'Name of the channel.',
      became: 'What the test did with the channel. Empty: nothing.',
    },
    example: { ...testExample, name: 'OpenAI' },
  },
  ChannelTestChosenRequest: {
    description: 'Channels to test.',
    fields: { ids: 'IDs of the channels, at most 10,000.' },
  },
  ChannelTestOutcome: {
    description: 'Result of a channel test.',
    fields: {
      message: 'Empty: the test succeeded.',
      time: 'Duration of the test, in seconds.',
      model: 'Model that was tested.',
      modelName: 'Same as `model`, as One API names it.',
    },
    example: { time: 0.64, model: 'gpt-4o-mini', modelName: 'gpt-4o-mini' },
  },
  ChannelUpdateBalanceOutcome: {
    description: 'Balance of a channel.',
    fields: { balance: 'Balance at the provider, in the currency of the provider.' },
    example: { balance: 12.5 },
  },
  ChannelKey: {
    description: 'State of one provider key of a channel.',
    fields: {
      id: 'ID of the key. 0: the only key of the channel, without a state of its own.',
      hint: 'Last characters of the key. Empty: the key is too short to show any.',
      weight: 'Share of the requests compared to the other keys.',
      cost_percent:
        "Cost as a percentage of the channel's cost, for example the group ratio of a key from another gateway.",
      status: `Status: ${channelStatus}.`,
      status_reason: 'Why the key was disabled. Empty: unknown, or it is enabled.',
      cooldown_seconds: 'Remaining cooldown on this node, in seconds. 0: not cooling down.',
      request_count: 'Number of requests sent with the key.',
      failure_count: 'Number of requests that failed because of the key.',
      failure_time: 'Time of the last failed request or test, Unix seconds. 0: none.',
      failure_reason: 'Why the last one failed. Empty: none failed.',
      failure_message: 'Error message of the last failure. Empty: none.',
      failure_status: upstreamStatus,
      test_time: 'Time of the last test, Unix seconds. 0: never tested.',
      response_time: 'Duration of the last test, in milliseconds. 0: it failed, or there was none.',
    },
    example: {
      ...{ hint: 'x9Qz', cooldown_seconds: 0, failure_count: 0, failure_time: 0, failure_reason: '' },
      ...{ failure_status: 0, response_time: 640 },
    },
  },
  ChannelKeyAddRequest: {
    description: 'Keys to add to a channel.',
    fields: { keys: 'The keys, one per line.', replace: 'True: keys that are not listed are removed.' },
    example: { keys: 'sk-first\nsk-second', replace: false },
  },
  ChannelKeyAddData: {
    description: 'What happened to the keys.',
    fields: {
      added: 'Number of keys added.',
      duplicates: 'Number of lines with a key that the channel already had, or that occurred twice.',
      removed: 'Number of keys removed.',
    },
    example: { added: 2, duplicates: 0, removed: 0 },
  },
  ChannelKeyUpdateRequest: {
    description: 'A change of keys. Omitted fields are unchanged.',
    fields: {
      ids: 'IDs of the keys.',
      status: 'New status: 1 enabled, 2 disabled.',
      weight: 'New weight, 1 to 1,000.',
      cost_percent: "New cost as a percentage of the channel's cost, 1 to 100,000.",
    },
  },
  ChannelKeyRemoveRequest: { description: 'Keys to remove.', fields: { ids: 'IDs of the keys.' } },
  ChannelKeyTestRequest: {
    description: 'The key to test.',
    fields: { key: 'ID of the key.', model: 'Model to test with. Empty: a model of the channel.' },
    example: { key: 21, model: '' },
  },
  ChannelKeyTestData: {
    description: 'Result of a key test.',
    fields: { ...testOutcome, became: 'What the test did with the key. Empty: nothing.' },
    example: testExample,
  },
  ChannelPause: {
    description: 'A model that is skipped on a channel until a test succeeds.',
    fields: {
      model: 'Name of the model. Empty: all models of the channel.',
      reason: 'Why the model was paused.',
      status: 'HTTP status of the upstream. 0: no response.',
      since: 'Start of the pause, Unix seconds.',
      next_probe: 'Time of the next test, Unix seconds.',
      pause: 'Seconds between tests. The interval grows with every failed test.',
      probes: 'Number of failed tests since the start of the pause.',
    },
    example: { reason: 'overloaded', status: 529, next_probe: 1_767_312_300, pause: 300, probes: 1 },
  },
  ChannelPauseRequest: {
    description: 'A paused model.',
    fields: { model: 'Name of the model. Empty: the pause of the whole channel.' },
  },
  ChannelPauseTestData: {
    description: 'Result of testing a paused model.',
    fields: { ...testOutcome, became: '`enabled`: the pause has ended. Empty: it continues.' },
    example: { reason: '', status: 200, became: 'enabled' },
  },
  ...bulkChanges(),
};

function bulkChanges(): SchemaTexts {
  const how = 'Whether the entries are added, removed, or replace the list.';
  return {
    ChannelBulkChange: { description: 'A change of many channels.' },
    ChannelBulkChangeStatus: {
      description: 'Enables or disables channels.',
      fields: { status: 'New status: 1 enabled, 2 disabled.' },
    },
    ChannelBulkChangePriority: { description: 'Sets the priority.', like: 'Channel' },
    ChannelBulkChangeWeight: { description: 'Sets the weight.', like: 'Channel' },
    ChannelBulkChangeGroup: {
      description: 'Changes the groups.',
      fields: { how, group: 'Groups, separated by commas.' },
    },
    ChannelBulkChangeModels: {
      description: 'Changes the models.',
      fields: { how, models: 'Models, separated by commas.' },
    },
    ChannelBulkChangeModelMapping: { description: 'Sets the model mapping.', like: 'Channel' },
    ChannelBulkChangeSystemPrompt: { description: 'Sets the system prompt.', like: 'Channel' },
    ChannelBulkChangeTag: { description: 'Sets the tag.', like: 'Channel' },
    ChannelBulkChangeCopy: {
      description: 'Copies settings from another channel.',
      fields: { from: 'ID of the channel to copy from.', settings: 'Names of the settings to copy.' },
      example: { from: 7, settings: ['models', 'group'] },
    },
    ChannelBulkChangeDelete: { description: 'Deletes channels.' },
  };
}
