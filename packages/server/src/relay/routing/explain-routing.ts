import type { ExplainedChannel, Parsed, RoutingExplanation, routingApi } from '@headgate/contract';
import { explainChoice, type UpstreamServices } from '@headgate/relay';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { ChannelTable } from '../upstreams/channel-table.ts';
import { resolveModel } from './resolve-model.ts';
import type { RoutingTable } from './routing-table.ts';

interface Explaining {
  readonly channels: ChannelTable;
  readonly routing: RoutingTable;
  readonly upstreamServices: UpstreamServices;
  readonly options: OptionService;
}

type ExplainRequest = Parsed<typeof routingApi.explain>['body'];

/** Explains which channels would currently serve a model for a group on this node. Sends no upstream request. */
export function explainRouting(explaining: Explaining, request: ExplainRequest): RoutingExplanation {
  const { routing, channels, options } = explaining;
  const hasSuffixes = () => options.values.ReasoningSuffixesEnabled;
  const { model, alias, reasoning } = resolveModel({ channels, routing, hasSuffixes }, request.model);
  const rule = routing.find(request.group, model);
  const models = [...new Set([model, ...(rule?.rule.fallbacks ?? [])])];
  return {
    model,
    ...(alias && { alias }),
    ...(reasoning && { reasoning }),
    ...(rule && { rule: rule.row }),
    retry_times: options.values.RetryTimes,
    steps: models.map((each) => ({ model: each, channels: explainModel(explaining, request, each) })),
  };
}

function explainModel(
  { channels, routing, upstreamServices, options }: Explaining,
  request: ExplainRequest,
  model: string,
) {
  const found = channels.route([request.group], model);
  if (!found) return [];
  const route = { ...found, rule: routing.find(request.group, model)?.rule };
  const { PreConsumedQuota: typicalCompletion, QuotaPerUnit: pointsPerDollar } = options.values;
  const supposed = {
    model,
    promptTokens: request.prompt_tokens,
    typicalCompletion,
    pointsPerDollar,
    now: performance.now(),
  };
  const passedOver = explainChoice(
    { ...route, channels: channels.passedOver(request.group, model) },
    upstreamServices,
    supposed,
  ).map((choice) => ({ ...choice, reason: 'paused' as const, share: undefined, firstByteMs: undefined }));
  return [...explainChoice(route, upstreamServices, supposed), ...passedOver].map(
    ({ channel, reason, share, ...facts }): ExplainedChannel => ({
      id: channel.id,
      name: channel.name,
      priority: channel.priority,
      weight: channel.weight,
      reason,
      share,
      upstream_model: channel.modelMapping.get(model) || model,
      context_window: facts.contextWindow,
      under_way: facts.inFlight,
      first_byte_ms: facts.firstByteMs === undefined ? undefined : Math.round(facts.firstByteMs),
      input_price: facts.inputPrice,
      output_price: facts.outputPrice,
    }),
  );
}
