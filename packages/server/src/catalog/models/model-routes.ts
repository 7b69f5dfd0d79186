import type { modelApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { modelsByType } from './known-models.ts';

export const modelRoutes = (): Handlers<typeof modelApi> => ({ byType: () => modelsByType });
