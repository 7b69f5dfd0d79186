import type { ManagedKind, OptionValues } from '@headgate/contract';
import type { TokenService } from '../../../accounts/api-tokens/token-service.ts';
import type { BudgetService } from '../../../accounts/budgets/budget-service.ts';
import type { OrganizationFileService } from '../../../accounts/organizations/organization-file-service.ts';
import type { PlanService } from '../../../accounts/plans/plan-service.ts';
import type { UserManagementService } from '../../../accounts/users/user-management-service.ts';
import type { UserService } from '../../../accounts/users/user-service.ts';
import type { ChannelKeyService } from '../../../catalog/channels/channel-key-service.ts';
import type { ChannelService } from '../../../catalog/channels/channel-service.ts';
import type { LimitRuleService } from '../../../catalog/limit-rules/limit-rule-service.ts';
import type { PriceCache } from '../../../catalog/prices/price-cache.ts';
import type { PriceChangeService } from '../../../catalog/prices/price-change-service.ts';
import type { RoutingService } from '../../../catalog/routing-rules/routing-service.ts';
import type { AlertDestinationService } from '../../../observability/alerts/alert-destination-service.ts';
import type { AlertRuleService } from '../../../observability/alerts/alert-rule-service.ts';
import type { LogDestinationService } from '../../../observability/log-export/log-destination-service.ts';
import type { UserRow } from '../../../platform/db/rows.ts';
import type { OptionService } from '../../../platform/options/option-service.ts';
import type { OptionChangeService } from '../../options/option-change-service.ts';
import type { ConfigFile } from '../config-file.ts';
import type { FileDocument } from '../file-schema.ts';
import type { DesiredObject, StoredObject, WrittenChange } from '../planned-change.ts';

/** API services in one transaction, so that the file is validated like an admin's requests. */
export interface FileServices {
  /** Actor in the log. */
  readonly actor: UserRow;
  readonly options: OptionService;
  readonly optionChanges: OptionChangeService;
  readonly prices: PriceChangeService;
  readonly priceBook: PriceCache;
  readonly channels: ChannelService;
  readonly channelKeys: ChannelKeyService;
  readonly users: UserService;
  readonly tokens: TokenService;
  readonly management: UserManagementService;
  readonly limits: LimitRuleService;
  readonly budgets: BudgetService;
  readonly plans: PlanService;
  readonly organizations: OrganizationFileService;
  readonly routing: RoutingService;
  readonly destinations: AlertDestinationService;
  readonly alertRules: AlertRuleService;
  readonly logExports: LogDestinationService;
  /**
   * Logs the change of a token. The token service does not, because users' changes to their own tokens are not audited.
   */
  recordTokenChange(event: TokenEvent, owner: UserRow, values: Readonly<Record<string, string>>): Promise<void>;
}

type TokenEvent = 'user.token_created' | 'user.token_updated' | 'user.token_deleted';

/** Stored options including the ratio options. */
export async function storedOptions({ options, priceBook }: FileServices): Promise<OptionValues> {
  await options.load();
  await priceBook.load();
  return { ...options.values, ...priceBook.priceRatios };
}

/** Names and ids of the objects to read. */
interface LookupQuery<Given> {
  readonly wanted: readonly DesiredObject<Given>[];
  readonly names: readonly string[];
  readonly ids: readonly number[];
}

/** Options after the change; QuotaPerUnit determines the dollar prices. */
type OptionsAfter = OptionValues;

export interface WriteContext<Given> {
  readonly services: FileServices;
  /** All objects of the kind in the file, including unchanged ones. */
  readonly wanted: readonly DesiredObject<Given>[];
  /** Runs `work` and adds the position in the file to its error. */
  at<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Id of a managed object. */
  idOf(kind: ManagedKind, name: string): number | undefined;
}

/** A kind of object that a file can manage: how it is read, compared and written. */
export interface ObjectKind<Given = unknown> {
  readonly kind: ManagedKind;
  readonly section: keyof FileDocument;
  wanted(file: ConfigFile, after: OptionsAfter): DesiredObject<Given>[];
  found(services: FileServices, sought: LookupQuery<Given>, after: OptionsAfter): Promise<StoredObject[]>;
  /** Returns the ids in the same order. */
  write(writing: WriteContext<Given>, changes: readonly WrittenChange<Given>[]): Promise<number[]>;
  remove(services: FileServices, found: readonly StoredObject[]): Promise<void>;
}

/** Sequential, because each item is a separate call in the transaction. */
export async function mapSequentially<From, To>(
  items: readonly From[],
  work: (item: From) => Promise<To>,
): Promise<To[]> {
  const done: To[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

export const objectNames = (found: readonly StoredObject[]): string[] => found.map(({ name }) => name);

/** The managed user with this name, otherwise any user with this name. */
export async function findUserId({ services, idOf }: WriteContext<unknown>, name: string): Promise<number | undefined> {
  return idOf('user', name) ?? (await services.users.named(name))?.id;
}

export async function findChannelId(
  { services, idOf }: WriteContext<unknown>,
  name: string,
): Promise<number | undefined> {
  const managed = idOf('channel', name);
  if (managed !== undefined) return managed;
  const [id, ...others] = await services.channels.idsNamed(name);
  return others.length === 0 ? id : undefined;
}
