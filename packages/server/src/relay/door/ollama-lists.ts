import { isObject, ollamaVersion, parseJson, requiredText, writeShow, writeTags } from '@headgate/dialects';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { knownModel, listedSince, type ModelListRoutesDependencies } from './model-lists.ts';

/** What Ollama's clients ask beside its conversations: which models there are, and what they can. */
export function mountOllama(app: FastifyInstance, { relay, guarded, callerOf }: ModelListRoutesDependencies): void {
  const models = (request: FastifyRequest) => relay.models(callerOf(request));
  const relayed = { ...guarded, config: { isRelayed: true } };
  app.get('/api/version', relayed, async () => ({ version: ollamaVersion }));
  app.get('/api/tags', relayed, async (request) => writeTags(models(request), listedSince));
  app.post('/api/show', { ...guarded, config: { isRelayed: true, parsesJson: true } }, async (request) =>
    writeShow(knownModel(modelIn(request), models(request)), listedSince),
  );
}

/** Older clients call it a name. */
function modelIn({ receivedBody }: FastifyRequest): string {
  const body = parseJson(receivedBody?.bytes.toString('utf8') ?? '');
  const fields = isObject(body) ? body : {};
  return requiredText(fields['model'] ?? fields['name'], 'model');
}
