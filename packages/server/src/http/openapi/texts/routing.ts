import type { ResourceTexts, SchemaTexts } from './types.ts';

export const routingResources: ResourceTexts<'routing' | 'price'> = {
  routing: {
    tag: 'Routing',
    operations: {
      rules: {
        summary: 'List routing rules',
        description: 'Returns all routing rules, most specific first.',
        data: 'The routing rules.',
      },
      rule: { summary: 'Get a routing rule', description: 'Returns one routing rule.' },
      createRule: {
        summary: 'Create a routing rule',
        description: 'Creates a routing rule: at most one per group and model, 500 in total.',
      },
      updateRule: {
        summary: 'Update a routing rule',
        description: 'Changes a routing rule. Omitted fields are unchanged.',
      },
      removeRule: { summary: 'Delete a routing rule', description: 'Deletes a routing rule.' },
      aliases: {
        summary: 'List model aliases',
        description: 'Returns all model aliases, most specific first.',
        data: 'The model aliases.',
      },
      alias: { summary: 'Get a model alias', description: 'Returns one model alias.' },
      createAlias: {
        summary: 'Create a model alias',
        description: 'Creates an alias, or a pattern of aliases, for a model.',
      },
      updateAlias: { summary: 'Update a model alias', description: 'Changes a model alias.' },
      removeAlias: { summary: 'Delete a model alias', description: 'Deletes a model alias.' },
      explain: {
        summary: 'Explain routing',
        description:
          'Returns the channels that would serve a model to a group on this node now, in order, with the reason for each. Sends no upstream request.',
      },
    },
    params: { id: 'ID of the routing rule or model alias.' },
  },
  price: {
    tag: 'Prices',
    operations: {
      list: {
        summary: 'List prices',
        description:
          'Returns the prices of all models that are built in, have a saved price or are offered by a channel, sorted by name.',
        data: 'The prices in dollars.',
      },
      save: {
        summary: 'Save prices',
        description: 'Saves or removes the prices of up to 5,000 models.',
        data: 'Number of models changed.',
        dataExample: 1,
      },
      compare: {
        summary: 'Compare prices with a price list',
        description:
          "Reads a published price list and returns how it differs from the current prices: those of models.dev, LiteLLM's price map, or `/api/pricing` or `/api/ratio_config` of another gateway. Changes nothing; save the wanted prices with `PUT /api/prices`.",
      },
      unpriced: {
        summary: 'List models without a price',
        description: 'Returns the models without a price: of those that enabled channels offer, or of the given ones.',
        query: { models: 'Model names to check, separated by commas. Omitted: the models of all enabled channels.' },
        data: 'The models without a price.',
      },
      changes: {
        summary: 'Get the price history of a model',
        description: 'Returns all changes of the saved price of a model, oldest first.',
        query: { model: 'Name of the model.' },
        data: 'The changes.',
      },
      listOwn: {
        summary: 'List your prices',
        description: "Returns the prices of the models the caller can use, with the caller's group ratio applied.",
        data: 'The prices in dollars.',
      },
    },
  },
};

const cacheTexts = {
  cached: 'Dollars per million cached input tokens.',
  cache_write: 'Dollars per million tokens written to the prompt cache.',
  cache_long_write: 'Dollars per million tokens written to the long-lived prompt cache.',
  reasoning: 'Dollars per million reasoning tokens.',
  audio: 'Dollars per million audio input tokens.',
  cached_audio: 'Dollars per million cached audio input tokens.',
  audio_output: 'Dollars per million audio output tokens.',
  image: 'Dollars per million image input tokens.',
  cached_image: 'Dollars per million cached image input tokens.',
  image_output: 'Dollars per million image output tokens.',
  flex: 'Dollars per million input tokens at the service tier `flex`; the other parts follow in proportion. 0: no price.',
  priority:
    'Dollars per million input tokens at the service tier `priority`; the other parts follow in proportion. 0: no price, so requests for the tier are rejected.',
  call: 'Dollars per request, in addition to its tokens or units.',
};

const priceUnit =
  'Unit of the price: a million `tokens`, a `picture`, a million `characters`, a `second` of audio, or a thousand `searches`.';

export const routingSchemas: SchemaTexts = {
  RoutingRule: {
    description: 'How requests for a model are distributed. The most specific rule applies.',
    fields: {
      group: 'Group the rule applies to. Empty: every group.',
      model: 'Model the rule applies to, or a pattern with one `*`. Empty: every model.',
      strategy:
        'How a channel is selected among those of the same priority: by weight, fewest requests in flight, shortest time to first byte, or lowest price.',
      affinity: 'Which requests stay on the same channel and key: none, those of a conversation, a session or a user.',
      fits_window: 'True: channels whose context window is too small for the prompt are skipped while another fits.',
      hedge_ms: 'Milliseconds without a first byte after which a second channel is tried in parallel. 0: never.',
      fallbacks: 'Fallback models, separated by commas, at most 5. They are tried in order when no channel succeeds.',
      split_model: 'Model that serves a share of the conversations. Empty: none.',
      split_percent: 'Percent of the conversations that `split_model` serves. 0: none.',
      split_own_price:
        'True: these requests are charged at the price of `split_model`. False: at the price of the requested model.',
    },
    example: {
      model: 'gpt-*',
      strategy: 'least_busy',
      affinity: 'conversation',
      hedge_ms: 0,
      fallbacks: 'claude-sonnet-4-6',
    },
  },
  RoutingCreateRuleRequest: { description: 'A new routing rule.', like: 'RoutingRule' },
  RoutingUpdateRuleRequest: {
    description: 'A change of a routing rule. Omitted fields are unchanged.',
    like: 'RoutingRule',
    fields: { id: 'ID of the routing rule to change.' },
  },
  ModelAlias: {
    description: 'An alias of a model. Requests for it are served and charged as the model.',
    fields: {
      pattern: 'Requested name, or a pattern with one `*`.',
      model: 'Model that serves the requests. A `*` stands for what the `*` of the pattern matched.',
    },
    example: { pattern: 'openai/*', model: '*' },
  },
  RoutingCreateAliasRequest: { description: 'A new model alias.', like: 'ModelAlias' },
  RoutingUpdateAliasRequest: {
    description: 'A change of a model alias.',
    like: 'ModelAlias',
    fields: { id: 'ID of the model alias to change.' },
  },
  RoutingExplainRequest: {
    description: 'The request to explain.',
    fields: {
      group: 'Group of the user.',
      model: 'Requested model.',
      prompt_tokens: 'Length of the prompt in tokens, for context windows.',
    },
  },
  RoutingExplanation: {
    description: 'How a request would be routed.',
    fields: {
      model: 'Model that serves the request, after aliases.',
      alias: 'Alias that was applied. Omitted: none.',
      reasoning: 'Reasoning that a suffix of the requested name sets. Omitted: none.',
      rule: 'Routing rule that was applied. Omitted: none, so priority and weight decide.',
      retry_times: 'How many other channels are tried after a failure. 0: none.',
      steps: 'The model and its fallback models, in order, with their channels.',
    },
    example: { retry_times: 1 },
  },
  RoutingReasoning: {
    description: 'Reasoning that a suffix of the model name sets.',
    fields: {
      effort: 'Effort, such as `high`; `none` turns reasoning off.',
      budget: 'Reasoning tokens. Omitted: the effort decides.',
    },
    example: { effort: 'high' },
  },
  RoutingStep: {
    description: 'A model and its channels.',
    fields: { channels: 'The channels, in the order in which they are tried.' },
  },
  RoutingCandidate: {
    description: 'A channel that can serve the model.',
    fields: {
      id: 'ID of the channel.',
      name: 'Name of the channel.',
      priority: 'Priority of the channel.',
      weight: 'Weight of the channel.',
      reason:
        'Why the channel is at this position: `chosen` first, `next` if the first fails, `lower_priority`, cooling down (`resting`, `keys_resting`), `paused`, or `window_too_small`.',
      share: 'Probability of being tried first, from 0 to 1. Omitted: it is not tried first.',
      upstream_model: 'Name of the model at the upstream.',
      context_window: 'Context window in tokens. Omitted: unknown.',
      under_way: 'Requests in flight on this node.',
      first_byte_ms: 'Average time to the first byte, in milliseconds. Omitted: not measured yet.',
      input_price: 'Dollars per million input tokens. Omitted: unknown.',
      output_price: 'Dollars per million output tokens. Omitted: unknown.',
    },
    example: {
      name: 'OpenAI',
      reason: 'chosen',
      share: 1,
      context_window: 128_000,
      under_way: 2,
      first_byte_ms: 420,
      input_price: 2.5,
      output_price: 10,
    },
  },
  Price: {
    description: 'A price in dollars.',
    fields: {
      input: 'Dollars per million input tokens, or per unit of the model.',
      output: 'Dollars per million output tokens.',
      ...cacheTexts,
    },
    example: {
      input: 2.5,
      output: 10,
      cached: 1.25,
      cache_write: 2.5,
      cache_long_write: 2.5,
      reasoning: 10,
      audio: 40,
      cached_audio: 1.25,
      audio_output: 80,
      image: 2.5,
      cached_image: 1.25,
      image_output: 10,
      flex: 1.25,
      priority: 4.25,
      call: 0,
    },
  },
  PriceInput: {
    description: 'A price to save. Omitted parts follow the built-in price in proportion to the input price.',
    like: 'Price',
  },
  ModelPrice: {
    description: 'The price of a model.',
    fields: {
      unit: priceUnit,
      source: 'Where the price comes from: `built_in`, saved (`yours`), or `none`.',
      price: 'Price that is charged; without a price, the one that would be charged.',
      built_in: 'List price of the provider. Null: unknown.',
      model_ratio: 'The input price as a ratio, as the option ModelRatio shows it.',
      completion_ratio: 'Output price divided by input price.',
      channels: 'Number of enabled channels that offer the model.',
      changed: 'Last change of the saved price. Null: no saved price.',
    },
    example: { source: 'built_in', model_ratio: 1.25, completion_ratio: 4, channels: 2, changed: null },
  },
  ModelPriceChanged: {
    description: 'Last change of a price.',
    fields: {
      time: 'Time of the change, Unix seconds.',
      by: 'Username of the admin, or the name of the configuration file after `@`.',
    },
    example: { by: 'root' },
  },
  OwnPrice: {
    description: 'The price of a model for the caller.',
    fields: {
      unit: priceUnit,
      has_price: 'False: the model has no price, and `price` is what would be charged.',
      price: 'Price with the group ratio applied.',
    },
  },
  PriceSaveRequest: {
    description: 'Prices to save.',
    fields: {
      changes: 'One entry per model, at most 5,000.',
      list: 'Price list that the prices come from. Omitted: the prices were entered.',
    },
  },
  PriceCompareRequest: {
    description: 'The price list to compare with.',
    fields: { url: 'URL of the list. Omitted or empty: the option PriceListUrl.' },
  },
  PriceCompareData: {
    description: 'Differences between a price list and the current prices.',
    fields: {
      format: 'Format of the list.',
      url: 'URL of the list.',
      prices: 'Number of prices in the list.',
      proposals: 'One entry per model whose price differs.',
    },
    example: { format: 'models_dev', url: 'https://models.dev/api.json', prices: 2100 },
  },
  PriceProposal: {
    description: 'What the list changes about the price of one model.',
    fields: {
      kind: 'Kind of the change. `unit` and `ambiguous` cannot be applied: the list uses another unit, or its hosts have different prices.',
      channels: 'Number of enabled channels that offer the model.',
      provider: 'Provider in the list; several, separated by commas, if their prices differ.',
      percent: 'Largest change of a part, in percent. Null: no current price.',
      before: 'Current price. Null: none.',
      after: 'Price in the list; missing parts are not listed. Null: cannot be applied.',
    },
    example: { kind: 'rise', channels: 2, provider: 'openai', percent: 20 },
  },
  PriceProposalAfter: { description: 'A price in the list.', like: 'Price' },
  PriceChange: {
    description: 'New price of one model.',
    fields: { price: 'The price in dollars. Null: remove the saved price and use the built-in one.' },
  },
  PriceHistoryEntry: {
    description: 'Change of one part of a saved price.',
    fields: {
      part: 'Part of the price.',
      unit: priceUnit,
      old_amount: 'Amount before the change, as a decimal number. Null: no saved price before.',
      old_currency:
        'Unit of `old_amount`: `USD`, or `ratio` to the input price (reasoning: to the output price). Null: no saved price before.',
      amount: 'Amount after the change, as a decimal number. Null: the saved price was removed.',
      currency: 'Unit of `amount`: `USD` or `ratio`. Null: the saved price was removed.',
      source: 'What made the change: the price API, an option, the configuration file, an import or a price list.',
      changed_time: 'Time of the change, Unix seconds.',
      changed_by: 'Username of the admin, or the name of the configuration file after `@`.',
    },
    example: { old_amount: '2.5', old_currency: 'USD', amount: '3', currency: 'USD', changed_by: 'root' },
  },
  UnpricedModel: {
    description: 'A model without a price.',
    fields: { channels: 'Number of enabled channels that offer the model.' },
    example: { model: 'my-model', channels: 1 },
  },
};
