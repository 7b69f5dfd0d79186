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
      split_model: 'Model that serves a share of the conversations. Empty: the requested model.',
      split_tag:
        'Tag of the channels that serve this share. Empty: any channel of the model. There is no split without a model or tag.',
      split_percent: 'Percent of the conversations that the split serves. 0: none.',
      split_own_price:
        'True: these requests are charged at the price of `split_model`. False: at the price of the requested model.',
      mirror_model: 'Model that receives copies of a share of the requests. Empty: the requested model.',
      mirror_channel: 'Name of the channel that receives the copies. Empty: any channel of the model.',
      mirror_percent: 'Percent of the requests that are copied. Their responses are discarded, and you pay. 0: none.',
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
        'Why the channel is at this position: `chosen` first, `next` if the first fails, `lower_priority`, cooling down (`cooling_down`, `keys_cooling_down`), `paused`, or `window_too_small`.',
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
};
