import { isStatusOnly, type tokenApi, type tokenBulkApi, type tokenExportApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { requestedFormat } from '../../records/exports/export-format.ts';
import type { ListExportService } from '../../records/exports/list-export-service.ts';
import type { PolicyService } from '../policy/policy-service.ts';
import type { TokenBulkService } from './token-bulk-service.ts';
import type { TokenService } from './token-service.ts';

interface TokenRoutesDependencies {
  readonly tokens: TokenService;
  readonly policies: PolicyService;
}

export const tokenRoutes = ({ tokens, policies }: TokenRoutesDependencies): Handlers<typeof tokenApi> => ({
  list: ({ caller, query }) => tokens.page(caller.id, query),
  search: ({ caller, query }) => tokens.page(caller.id, query),
  counts: ({ caller }) => tokens.counts(caller.id),
  get: ({ caller, params }) => tokens.get(caller.id, params.id),
  create: ({ caller, body }) => policies.createToken(caller, body),
  update: ({ caller, query, body }) =>
    isStatusOnly(query) ? tokens.updateStatus(caller, body) : policies.updateToken(caller, body),
  rotate: ({ caller, params, body }) => tokens.rotate(caller.id, params.id, body.grace),
  endOldKey: ({ caller, params }) => tokens.endOldKey(caller.id, params.id),
  remove: async ({ caller, params }) => {
    await tokens.remove(caller.id, params.id);
    return undefined;
  },
});

export const tokenBulkRoutes = (bulk: TokenBulkService): Handlers<typeof tokenBulkApi> => ({
  run: ({ caller, client, body }) => bulk.run(caller.id, body, client.language),
  undo: ({ caller, client, body }) => bulk.undo(caller.id, body.undo, client.language),
});

export const tokenExportRoutes = (lists: ListExportService): Handlers<typeof tokenExportApi> => ({
  all: ({ caller, client, query }) =>
    lists.start(caller, { list: 'tokens', chosen: { filter: query }, format: requestedFormat(query, client) }),
  chosen: ({ caller, client, body }) =>
    lists.start(caller, { list: 'tokens', chosen: { ids: body.ids }, format: requestedFormat(body, client) }),
});
