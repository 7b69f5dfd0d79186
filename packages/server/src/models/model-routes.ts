import type { modelApi } from '@headgate/contract';
import { providers } from '@headgate/providers';
import type { Handlers } from '../http/handlers.ts';

const byType = Object.fromEntries(Object.entries(providers).map(([id, { models }]) => [id, [...models]]));

export const modelRoutes = (): Handlers<typeof modelApi> => ({ byType: () => byType });
