import type { payloadApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { PayloadService } from './payload-service.ts';
import type { PayloadSettingService } from './payload-setting-service.ts';

export const payloadRoutes = (
  keepings: PayloadSettingService,
  bodies: PayloadService,
): Handlers<typeof payloadApi> => ({
  own: ({ caller }) => keepings.own(caller),
  keepOwn: ({ caller, body }) => nothing(keepings.keepOwn(caller, body)),
  endOwn: ({ caller, params }) => nothing(keepings.endOwn(caller, params.id)),
  forgetOwn: ({ caller }) => bodies.forgetOwn(caller),
  of: ({ caller, params }) => keepings.of(caller, params.id),
  keep: ({ caller, params, body }) => nothing(keepings.keep(caller, params.id, body)),
  end: ({ caller, params, query }) => nothing(keepings.end(caller, params.id, query.token_id)),
  forgetOf: ({ caller, params }) => bodies.forgetOf(caller, params.id),
  readOwn: ({ caller, body }) => bodies.readOwn(caller, body.request_id),
  read: ({ caller, body }) => bodies.read(caller, body.request_id),
  forgetOneOwn: ({ caller, params }) => nothing(bodies.forgetOneOwn(caller, params.request_id)),
  forgetOne: ({ caller, params }) => nothing(bodies.forgetOne(caller, params.request_id)),
});

const nothing = async (done: Promise<void>): Promise<undefined> => {
  await done;
  return undefined;
};
