import type { groupApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { OptionService } from '../../platform/options/option-service.ts';

export const groupRoutes = (options: OptionService): Handlers<typeof groupApi> => ({
  list: () => Object.keys(options.values.GroupRatio).sort(),
});
