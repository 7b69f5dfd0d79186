import type { secondFactorApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { SecondFactorResetService } from './second-factor-reset-service.ts';
import type { SecondFactorService } from './second-factor-service.ts';

interface Services {
  readonly secondFactor: SecondFactorService;
  readonly secondFactorReset: SecondFactorResetService;
}

export const secondFactorRoutes = ({
  secondFactor: factor,
  secondFactorReset,
}: Services): Handlers<typeof secondFactorApi> => ({
  login: async ({ body, client, session }) => {
    const user = await factor.finish(body, client.address, session);
    await session.start(user.id);
    return user;
  },
  status: ({ caller }) => factor.status(caller),
  begin: ({ caller }) => factor.begin(caller),
  confirm: async ({ caller, body, client }) => [...(await factor.confirm(caller, body.code, client.address))],
  renewBackupCodes: async ({ caller, body, client }) => [
    ...(await factor.renewBackupCodes(caller, body.code, client.address)),
  ],
  remove: async ({ caller, body, client }) => {
    await factor.remove(caller, body.code, client.address);
    return undefined;
  },
  reset: async ({ caller, params }) => {
    await secondFactorReset.reset(caller, params.id);
    return undefined;
  },
});
