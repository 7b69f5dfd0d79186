import { AbilityRepository } from '../channels/ability-repository.ts';
import { ChannelKeyRepository } from '../channels/channel-key-repository.ts';
import { ChannelRepository } from '../channels/channel-repository.ts';
import { ChannelService } from '../channels/channel-service.ts';
import { applyFile } from '../config-file/apply-file.ts';
import type { ConfigFile } from '../config-file/config-file.ts';
import { fileActor } from '../config-file/file-actor.ts';
import { planFile } from '../config-file/file-plan.ts';
import type { FileServices } from '../config-file/kinds/kind.ts';
import type { PlannedChange } from '../config-file/things.ts';
import { confirming } from '../confirming.ts';
import type { ChangeFeed } from '../db/change-feed.ts';
import type { Database } from '../db/database.ts';
import { LimitRuleRepository } from '../limit-rules/limit-rule-repository.ts';
import { LimitRuleService } from '../limit-rules/limit-rule-service.ts';
import { LogRepository } from '../logs/log-repository.ts';
import { LogService } from '../logs/log-service.ts';
import { noGuard } from '../managed/managed-guard.ts';
import { ManagedRepository } from '../managed/managed-repository.ts';
import { OptionChangeService } from '../options/option-change-service.ts';
import { OptionRepository } from '../options/option-repository.ts';
import { OptionService } from '../options/option-service.ts';
import { PriceRepository } from '../prices/price-repository.ts';
import { PriceService } from '../prices/price-service.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type InTransaction, transactionsOf } from '../transaction.ts';
import { accountServicesOn } from './account-services.ts';

interface Applying {
  readonly database: Database;
  readonly feed: ChangeFeed;
  readonly box: SecretBox;
  readonly isPruning: boolean;
}

/** Applies a file in one transaction; nodes hear of it as they hear of what an admin does. */
export async function applyConfigFile(
  file: ConfigFile,
  { database, feed, box, isPruning }: Applying,
): Promise<{ readonly changes: readonly PlannedChange[]; readonly unconfirmed: readonly string[] }> {
  const inTransaction = transactionsOf(database, feed);
  const { result, unconfirmed } = await confirming(() =>
    inTransaction((transaction) =>
      applyFile(file, {
        services: fileServices(transaction.database, box, (work) => work(transaction)),
        managed: new ManagedRepository(transaction.database),
        isPruning,
      }),
    ),
  );
  return { changes: result, unconfirmed };
}

/** What applying would do; nothing is written. */
export async function planConfigFile(
  file: ConfigFile,
  { database, box, isPruning }: Omit<Applying, 'feed'>,
): Promise<readonly PlannedChange[]> {
  const marks = await new ManagedRepository(database).marks();
  const plans = await planFile(file, fileServices(database, box, onlyReading), { marks, isPruning });
  return plans.flatMap(({ changes }) => changes);
}

const onlyReading: InTransaction = () => {
  throw new Error('A plan only reads.');
};

/** The services of the API on one connection, without their guard over what the file manages. */
function fileServices(database: Database, box: SecretBox, inTransaction: InTransaction): FileServices {
  const optionRepository = new OptionRepository(database);
  const options = new OptionService(optionRepository, box);
  const logs = new LogService(new LogRepository(database), options);
  const shared = { logs, box, inTransaction, managed: noGuard };
  const optionChanges = new OptionChangeService({ ...shared, repository: optionRepository, options });
  const channels = new ChannelService({
    ...shared,
    channels: new ChannelRepository(database),
    abilities: new AbilityRepository(database),
    keys: new ChannelKeyRepository(database),
    restOf: () => 0,
    pausedOn: () => [],
  });
  const { users, management } = accountServicesOn(database, { ...shared, options });
  return {
    actor: fileActor,
    options,
    optionChanges,
    prices: new PriceService({
      options,
      changes: optionChanges,
      offered: new PriceRepository(database),
      availableModels: (groups) => channels.availableModels(groups),
    }),
    channels,
    users,
    management,
    limits: new LimitRuleService({ ...shared, rules: new LimitRuleRepository(database), usedOf: () => new Map() }),
  };
}
