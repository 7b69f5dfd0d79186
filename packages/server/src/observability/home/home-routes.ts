import type { dashboardApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { HomeService } from './home-service.ts';

export const homeRoutes = (home: HomeService): Handlers<typeof dashboardApi> => ({
  read: ({ caller, query }) => home.read(caller, query.start_timestamp),
  readOwn: ({ caller }) => home.readOwn(caller),
});
