import type { checkInApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { CheckInService } from './check-in-service.ts';

export const checkInRoutes = (checkIns: CheckInService): Handlers<typeof checkInApi> => ({
  read: ({ caller }) => checkIns.read(caller),
  run: ({ caller, client, query }) =>
    checkIns.run(caller, { address: client.address, botCheckToken: query.turnstile ?? '' }),
});
