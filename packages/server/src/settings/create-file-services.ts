import { logType } from '@headgate/contract';
import { createAccountServices } from '../accounts/create-account-services.ts';
import { createOrganizationFiles } from '../accounts/create-organization-files.ts';
import { automaticActor } from '../accounts/users/automatic-actor.ts';
import { createFirstRoot } from '../accounts/users/first-root.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import { AbilityRepository } from '../catalog/channels/ability-repository.ts';
import { ChannelKeyRepository } from '../catalog/channels/channel-key-repository.ts';
import { ChannelKeyService } from '../catalog/channels/channel-key-service.ts';
import { ChannelRepository } from '../catalog/channels/channel-repository.ts';
import { ChannelService } from '../catalog/channels/channel-service.ts';
import { LimitRuleRepository } from '../catalog/limit-rules/limit-rule-repository.ts';
import { LimitRuleService } from '../catalog/limit-rules/limit-rule-service.ts';
import { PriceCache } from '../catalog/prices/price-cache.ts';
import { PriceChangeService } from '../catalog/prices/price-change-service.ts';
import { PriceRepository } from '../catalog/prices/price-repository.ts';
import { RoutingRepository } from '../catalog/routing-rules/routing-repository.ts';
import { RoutingService } from '../catalog/routing-rules/routing-service.ts';
import { AlertDestinationRepository } from '../observability/alerts/alert-destination-repository.ts';
import { AlertDestinationService } from '../observability/alerts/alert-destination-service.ts';
import { AlertQueueRepository } from '../observability/alerts/alert-queue-repository.ts';
import { AlertRuleRepository } from '../observability/alerts/alert-rule-repository.ts';
import { AlertRuleService } from '../observability/alerts/alert-rule-service.ts';
import { LogDestinationRepository } from '../observability/log-export/log-destination-repository.ts';
import { LogDestinationService } from '../observability/log-export/log-destination-service.ts';
import { awaitConfirmation } from '../platform/db/await-confirmation.ts';
import type { ChangeFeed } from '../platform/db/change-feed.ts';
import type { Database } from '../platform/db/database.ts';
import { isDeadlock } from '../platform/db/database-errors.ts';
import { createTransactions, type InTransaction, type Transaction } from '../platform/db/transaction.ts';
import { noManagedGuard } from '../platform/managed/managed-guard.ts';
import { ManagedRepository } from '../platform/managed/managed-repository.ts';
import { OptionRepository } from '../platform/options/option-repository.ts';
import { OptionService } from '../platform/options/option-service.ts';
import type { SecretBox } from '../platform/secrets/secret-box.ts';
import { LogRepository } from '../records/logs/log-repository.ts';
import { LogService } from '../records/logs/log-service.ts';
import { createUserData } from '../relay/create-user-data.ts';
import { applyFile } from './config-file/apply-file.ts';
import type { ConfigFile } from './config-file/config-file.ts';
import type { FileServices } from './config-file/kinds/object-kind.ts';
import type { PlannedChange } from './config-file/planned-change.ts';
import { OptionChangeService } from './options/option-change-service.ts';

/** Logged as the actor of changes made by the configuration file. */
const fileActor = automaticActor('@headgate.yaml');

interface Applying {
  readonly database: Database;
  readonly feed: ChangeFeed;
  readonly box: SecretBox;
  readonly isPruning: boolean;
}

/** Applies a file in one transaction; nodes are notified as for a change by an admin. */
export async function applyConfigFile(
  file: ConfigFile,
  { database, feed, box, isPruning }: Applying,
): Promise<{ readonly changes: readonly PlannedChange[]; readonly unconfirmed: readonly string[] }> {
  const inTransaction = createTransactions(database, feed);
  const { result, unconfirmed } = await awaitConfirmation(() =>
    retryAfterDeadlock(() =>
      inTransaction((transaction) => applyFile(file, applying(transaction, box, { isPruning }))),
    ),
  );
  return { changes: result, unconfirmed };
}

/** Runs a full apply and rolls it back, so that it reports the same result or error as a real one. */
export async function dryRunConfigFile(
  file: ConfigFile,
  { database, feed, box, isPruning, rootPassword }: Applying & { readonly rootPassword: string | undefined },
): Promise<readonly PlannedChange[]> {
  let changes: readonly PlannedChange[] = [];
  const rehearsing = retryAfterDeadlock(() =>
    createTransactions(
      database,
      feed,
    )(async (transaction) => {
      await createFirstRoot(new UserRepository(transaction.database), rootPassword);
      changes = await applyFile(file, applying(transaction, box, { isPruning, isRehearsal: true }));
      transaction.beforeCommit(() => Promise.reject(new DryRunRollback()));
    }),
  );
  await rehearsing.catch((error: unknown) => {
    if (!(error instanceof DryRunRollback)) throw error;
  });
  return changes;
}

/** Thrown to roll back a dry run. */
class DryRunRollback extends Error {}

const applying = (
  transaction: Transaction,
  box: SecretBox,
  { isPruning, isRehearsal = false }: { readonly isPruning: boolean; readonly isRehearsal?: boolean },
) => ({
  services: fileServices(transaction.database, box, (work) => work(transaction)),
  managed: new ManagedRepository(transaction.database),
  isPruning,
  isRehearsal,
});

const maxAttempts = 5;

/** Retried after a deadlock, because PostgreSQL has rolled back the transaction. */
async function retryAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === maxAttempts) throw error;
    }
  }
}

/** Read-only services. */
export const readOnlyServices = (database: Database, box: SecretBox): FileServices =>
  fileServices(database, box, () => {
    throw new Error('These services are read-only.');
  });

/** API services on one connection, without the check for managed objects. */
function fileServices(database: Database, box: SecretBox, inTransaction: InTransaction): FileServices {
  const optionRepository = new OptionRepository(database);
  const options = new OptionService(optionRepository, box);
  const logs = new LogService(new LogRepository(database), options);
  const shared = { logs, box, inTransaction, managed: noManagedGuard };
  const priceRepository = new PriceRepository(database);
  const prices = new PriceChangeService({
    ...{ ...shared, prices: priceRepository, options: optionRepository, source: 'file' },
  });
  const optionChanges = new OptionChangeService({ ...shared, repository: optionRepository, options, prices });
  const rows = { channels: new ChannelRepository(database), keys: new ChannelKeyRepository(database) };
  const channels = new ChannelService({
    ...shared,
    ...rows,
    abilities: new AbilityRepository(database),
    cooldownOf: () => 0,
    pausedOn: () => [],
  });
  const limits = new LimitRuleService({ ...shared, rules: new LimitRuleRepository(database), usedOf: () => new Map() });
  const userData = createUserData(database, { ...shared, options });
  const accounts = createAccountServices(database, { ...shared, limitRules: limits, options, ...userData });
  const { users, tokens, management, budgets, plans } = accounts;
  return {
    actor: fileActor,
    options,
    optionChanges,
    prices,
    priceBook: new PriceCache(priceRepository, options),
    channels,
    channelKeys: new ChannelKeyService({ ...shared, ...rows, states: channels, cooldownOf: () => 0 }),
    users,
    tokens,
    management,
    budgets,
    plans,
    organizations: createOrganizationFiles(database, { ...shared, accounts, userData }),
    routing: new RoutingService({ ...shared, routing: new RoutingRepository(database) }),
    ...observabilityServices(database, shared),
    recordTokenChange: (event, user, values) =>
      inTransaction((transaction) =>
        logs.record(transaction, {
          type: logType.management,
          event,
          user,
          values: { admin: fileActor.username, user: user.username, ...values },
        }),
      ),
    limits,
  };
}

interface SharedServices {
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: typeof noManagedGuard;
}

function observabilityServices(
  database: Database,
  shared: SharedServices,
): Pick<FileServices, 'destinations' | 'alertRules' | 'logExports'> {
  const receivers = new AlertDestinationRepository(database);
  const rules = new AlertRuleRepository(database);
  const queue = new AlertQueueRepository(database);
  const sendTest = () => Promise.reject(new Error('A configuration file sends no test messages.'));
  return {
    destinations: new AlertDestinationService({ ...shared, receivers, rules, queue, sendTest }),
    alertRules: new AlertRuleService({ ...shared, receivers, rules }),
    logExports: new LogDestinationService({
      ...shared,
      exports: new LogDestinationRepository(database),
      lastLogId: () => new LogRepository(database).lastId(),
      // Applying a configuration file does not export logs.
      lagOf: () => Promise.resolve(0),
      typeOf: () => undefined,
      exportsDir: '',
    }),
  };
}
