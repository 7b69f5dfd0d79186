import { BulkRunRepository } from '../bulk/bulk-run-repository.ts';
import { BulkRunService } from '../bulk/bulk-run-service.ts';
import { AbilityRepository } from '../channels/ability-repository.ts';
import { ChannelBulkRepository } from '../channels/channel-bulk-repository.ts';
import { ChannelBulkService } from '../channels/channel-bulk-service.ts';
import { ChannelKeyRepository } from '../channels/channel-key-repository.ts';
import type { ChannelService } from '../channels/channel-service.ts';
import type { Database } from '../db/database.ts';
import { RedemptionBulkRepository } from '../redemptions/redemption-bulk-repository.ts';
import { RedemptionBulkService } from '../redemptions/redemption-bulk-service.ts';
import { TokenBulkRepository } from '../tokens/token-bulk-repository.ts';
import { TokenBulkService } from '../tokens/token-bulk-service.ts';
import { UserBulkRepository } from '../users/user-bulk-repository.ts';
import { UserBulkService } from '../users/user-bulk-service.ts';
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
