import { isObject, ollamaVersion, parseJson, requiredText, writeShow, writeTags } from '@headgate/dialects';
import type { UpstreamServices } from '@headgate/relay';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findModel, listedModelCreatedAt, type ModelListRoutesDependencies } from './model-lists.ts';

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
