import { TokenBulkRepository } from '../accounts/api-tokens/token-bulk-repository.ts';
import { TokenBulkService } from '../accounts/api-tokens/token-bulk-service.ts';
import { RedemptionBulkRepository } from '../accounts/redemptions/redemption-bulk-repository.ts';
import { RedemptionBulkService } from '../accounts/redemptions/redemption-bulk-service.ts';
import { UserBulkRepository } from '../accounts/users/user-bulk-repository.ts';
import { UserBulkService } from '../accounts/users/user-bulk-service.ts';
import { AbilityRepository } from '../catalog/channels/ability-repository.ts';
import { ChannelBulkRepository } from '../catalog/channels/channel-bulk-repository.ts';
import { ChannelBulkService } from '../catalog/channels/channel-bulk-service.ts';
import { ChannelKeyRepository } from '../catalog/channels/channel-key-repository.ts';
import type { ChannelService } from '../catalog/channels/channel-service.ts';
import type { Database } from '../platform/db/database.ts';
import { BulkRunRepository } from '../records/bulk/bulk-run-repository.ts';
import { BulkRunService } from '../records/bulk/bulk-run-service.ts';
import type { CoreServices } from './core-services.ts';

/** Changes of many rows at once. */
export function makeBulkServices(
  database: Database,
  { box, logs, inTransaction, managed }: CoreServices,
  channels: ChannelService,
) {
  const shared = { runs: new BulkRunService(new BulkRunRepository(database)), logs, inTransaction };
  return {
    channelBulk: new ChannelBulkService({
      ...shared,
      bulk: new ChannelBulkRepository(database),
      abilities: new AbilityRepository(database),
      keys: new ChannelKeyRepository(database),
      box,
      managed,
      resting: () => channels.resting(),
    }),
    userBulk: new UserBulkService({ ...shared, managed, bulk: new UserBulkRepository(database) }),
    tokenBulk: new TokenBulkService(new TokenBulkRepository(database), shared.runs, inTransaction),
    redemptionBulk: new RedemptionBulkService({ ...shared, bulk: new RedemptionBulkRepository(database) }),
  };
}
