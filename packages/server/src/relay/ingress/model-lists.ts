import {
  isObject,
  ollamaVersion,
  parseJson,
  requiredText,
  writeModel,
  writeModelList,
  writeShow,
  writeTags,
} from '@headgate/dialects';
import { modelNotFoundError, type UpstreamServices } from '@headgate/relay';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { Relay } from '../run/relay.ts';
import type { ModelFacts } from '../upstreams/model-facts.ts';

interface ModelListRoutesDependencies {
  readonly relay: Relay;
  readonly guarded: RouteShorthandOptions;
  readonly callerOf: (request: FastifyRequest) => TokenCaller;
}

interface OneModel {
  readonly Params: { readonly id: string };
}

/** Lists the models that a token may use, in the caller's dialect. */
export function mountModelLists(app: FastifyInstance, { relay, guarded, callerOf }: ModelListRoutesDependencies): void {
  const models = (request: FastifyRequest) => relay.info.models(callerOf(request));
  app.get('/v1/models', guarded, async (request) =>
    isAnthropicRequest(request)
      ? anthropicList(models(request))
      : { object: 'list', data: models(request).map(openaiRow) },
  );
  app.get<OneModel>('/v1/models/:id', guarded, async (request) => {
    const model = findModel(request.params.id, models(request));
    return isAnthropicRequest(request) ? anthropicRow(model) : openaiRow(model);
  });
  app.get('/v1beta/models', guarded, async (request) => {
    const query = new URLSearchParams(request.url.split('?', 2)[1]);
    return writeModelList(models(request), query.get('pageSize'), query.get('pageToken'));
  });
  app.get<OneModel>('/v1beta/models/:id', guarded, async (request) =>
    writeModel(findModel(request.params.id, models(request))),
  );
}

/** All Anthropic clients send this header, and other clients do not. */
export const isAnthropicRequest = ({ headers }: FastifyRequest): boolean => headers['anthropic-version'] !== undefined;

function findModel(id: string, models: readonly ModelFacts[]): ModelFacts {
  const found = models.find((model) => model.id === id);
  if (found) return found;
  throw modelNotFoundError(id);
}

const listedModelCreatedAt = 1_626_777_600;

/** OpenAI's fields, and OpenRouter's fields for clients that read them. */
const openaiRow = ({ id, contextWindow, price }: ModelFacts) => ({
  id,
  object: 'model',
  created: listedModelCreatedAt,
  owned_by: 'headgate',
  ...(contextWindow !== undefined && { context_length: contextWindow }),
  ...(price && { pricing: { prompt: decimal(price.prompt), completion: decimal(price.completion) } }),
});

/** Written without an exponent, because some clients cannot parse exponents. */
function decimal(dollars: number): string {
  const digits = dollars.toFixed(15);
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end);
}

const anthropicRow = ({ id, contextWindow }: ModelFacts) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(listedModelCreatedAt * 1000).toISOString(),
  ...(contextWindow !== undefined && { max_input_tokens: contextWindow }),
});

const anthropicList = (models: readonly ModelFacts[]) => ({
  data: models.map(anthropicRow),
  has_more: false,
  first_id: models[0]?.id ?? null,
  last_id: models.at(-1)?.id ?? null,
});

interface OllamaRoutesDependencies extends ModelListRoutesDependencies {
  readonly upstreamServices: UpstreamServices;
}

/** Ollama discovery endpoints: available models and their capabilities. */
export function mountOllamaLists(app: FastifyInstance, dependencies: OllamaRoutesDependencies): void {
  const { relay, upstreamServices, guarded, callerOf } = dependencies;
  const models = (request: FastifyRequest) => relay.info.models(callerOf(request));
  const relayed = { ...guarded, config: { isRelayed: true } };
  app.get('/api/version', relayed, async () => ({ version: ollamaVersion }));
  app.get('/api/tags', relayed, async (request) => writeTags(models(request), listedModelCreatedAt));
  app.post('/api/show', { ...guarded, config: { isRelayed: true, parsesJson: true } }, async (request) => {
    const caller = callerOf(request);
    relay.admission.begin(caller);
    try {
      if (request.receivedBody?.isHeavy) await upstreamServices.turns.next();
      return writeShow(findModel(modelIn(request), relay.info.models(caller)), listedModelCreatedAt);
    } finally {
      relay.admission.end(caller);
    }
  });
}

/** Older clients send the model as `name`. */
function modelIn({ receivedBody }: FastifyRequest): string {
  const body = parseJson(receivedBody?.bytes.toString('utf8') ?? '');
  const fields = isObject(body) ? body : {};
  return requiredText(fields['model'] ?? fields['name'], 'model');
}
