import { writeModel, writeModelList } from '@headgate/dialects';
import { RelayError } from '@headgate/relay';
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { RelayService } from '../relay-service.ts';

interface ModelListRoutesDependencies {
  readonly relay: RelayService;
  readonly guarded: RouteShorthandOptions;
  readonly callerOf: (request: FastifyRequest) => TokenCaller;
}

interface OneModel {
  readonly Params: { readonly id: string };
}

/** The models that a token may use, in the words of whoever asks. */
export function mountModels(app: FastifyInstance, { relay, guarded, callerOf }: ModelListRoutesDependencies): void {
  const models = (request: FastifyRequest) => relay.models(callerOf(request));
  app.get('/v1/models', guarded, async (request) =>
    isAnthropic(request) ? anthropicList(models(request)) : { object: 'list', data: models(request).map(openaiRow) },
  );
  app.get<OneModel>('/v1/models/:id', guarded, async (request) => {
    const id = known(request.params.id, models(request));
    return isAnthropic(request) ? anthropicRow(id) : openaiRow(id);
  });
  app.get('/v1beta/models', guarded, async (request) => {
    const query = new URLSearchParams(request.url.split('?', 2)[1]);
    const listed = models(request).map((id) => ({ id }));
    return writeModelList(listed, query.get('pageSize'), query.get('pageToken'));
  });
  app.get<OneModel>('/v1beta/models/:id', guarded, async (request) =>
    writeModel({ id: known(request.params.id, models(request)) }),
  );
}

/** What every client of Anthropic's sends, and no other. */
export const isAnthropic = ({ headers }: FastifyRequest): boolean => headers['anthropic-version'] !== undefined;

function known(id: string, models: readonly string[]): string {
  if (models.includes(id)) return id;
  throw new RelayError(404, `The model '${id}' does not exist`, 'model_not_found', 'invalid_request_error');
}

const listedSince = 1_626_777_600;

const openaiRow = (id: string) => ({ id, object: 'model', created: listedSince, owned_by: 'headgate' });

const anthropicRow = (id: string) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(listedSince * 1000).toISOString(),
});

const anthropicList = (ids: readonly string[]) => ({
  data: ids.map(anthropicRow),
  has_more: false,
  first_id: ids[0] ?? null,
  last_id: ids.at(-1) ?? null,
});
