import type { channelKeyApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { ChannelKeyService } from './channel-key-service.ts';
import type { ChannelKeyTestService } from './channel-key-test-service.ts';

export const channelKeyRoutes = (
  keys: ChannelKeyService,
  tests: ChannelKeyTestService,
): Handlers<typeof channelKeyApi> => ({
  list: ({ params }) => keys.list(params.id),
  add: ({ caller, params, body }) => keys.add(caller, params.id, body),
  update: ({ caller, params, body }) => keys.update(caller, params.id, body),
  remove: ({ caller, params, body }) => keys.remove(caller, params.id, body.ids),
  test: ({ params, body }) => tests.test(params.id, body.key, body.model),
});
