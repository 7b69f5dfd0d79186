import type { publicStatusApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { PublicStatusService } from './public-status-service.ts';

export const publicStatusRoutes = (status: PublicStatusService): Handlers<typeof publicStatusApi> => ({
  read: () => status.read(),
});
