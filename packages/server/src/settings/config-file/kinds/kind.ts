import type { ManagedKind, OptionValues } from '@headgate/contract';
import type { BudgetService } from '../../../accounts/budgets/budget-service.ts';
import type { UserManagementService } from '../../../accounts/users/user-management-service.ts';
import type { UserService } from '../../../accounts/users/user-service.ts';
import type { ChannelKeyService } from '../../../catalog/channels/channel-key-service.ts';
import type { ChannelService } from '../../../catalog/channels/channel-service.ts';
import type { LimitRuleService } from '../../../catalog/limit-rules/limit-rule-service.ts';
import type { PriceBook } from '../../../catalog/prices/price-book.ts';
import type { PriceChangeService } from '../../../catalog/prices/price-change-service.ts';
import type { RoutingService } from '../../../catalog/routing-rules/routing-service.ts';
import type { UserRow } from '../../../platform/db/rows.ts';
import type { OptionService } from '../../../platform/options/option-service.ts';
import type { OptionChangeService } from '../../options/option-change-service.ts';
import type { ConfigFile } from '../config-file.ts';
import type { FileDocument } from '../file-schema.ts';
import type { Found, Wanted, Written } from '../things.ts';

/** The services of the API, all within one transaction: what the file asks for is judged as what an admin asks for. */
export interface FileServices {
  /** Who does it, as the log tells it. */
  readonly actor: UserRow;
  readonly options: OptionService;
  readonly optionChanges: OptionChangeService;
  readonly prices: PriceChangeService;
  readonly priceBook: PriceBook;
  readonly channels: ChannelService;
  readonly channelKeys: ChannelKeyService;
  readonly users: UserService;
  readonly management: UserManagementService;
  readonly limits: LimitRuleService;
  readonly budgets: BudgetService;
  readonly routing: RoutingService;
}

/** The stored options with the ratio options. */
export async function storedOptions({ options, priceBook }: FileServices): Promise<OptionValues> {
  await options.load();
  await priceBook.load();
  return { ...options.values, ...priceBook.priceRatios };
}

/** What is looked for among what is stored. */
interface Sought<Given> {
  readonly wanted: readonly Wanted<Given>[];
  readonly names: readonly string[];
  readonly ids: readonly number[];
}

/** The options after the change, and the prices at the dollar that they set. */
type OptionsAfter = OptionValues;

export interface Writing<Given> {
  readonly services: FileServices;
  /** All of the kind that the file names, also what does not change. */
  readonly wanted: readonly Wanted<Given>[];
  /** Does one thing; when it is refused, that is said with its place in the file. */
  at<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** The id of a thing that the file manages. */
  idOf(kind: ManagedKind, name: string): number | undefined;
}

/** One kind of things that a file can manage: how they are read, compared and written. */
export interface Kind<Given = unknown> {
  readonly kind: ManagedKind;
  /** Where they stand in the file. */
  readonly section: keyof FileDocument;
  wanted(file: ConfigFile, after: OptionsAfter): Wanted<Given>[];
  found(services: FileServices, sought: Sought<Given>, after: OptionsAfter): Promise<Found[]>;
  /** Gives the id of each, in the same order. */
  write(writing: Writing<Given>, changes: readonly Written<Given>[]): Promise<number[]>;
  remove(services: FileServices, found: readonly Found[]): Promise<void>;
}

/** One after the other, for what is made by calls of its own. */
export async function oneByOne<From, To>(items: readonly From[], work: (item: From) => Promise<To>): Promise<To[]> {
  const done: To[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

export const byName = (found: readonly Found[]): string[] => found.map(({ name }) => name);

/** The one thing of a name that the file manages, or else of all there are; undefined: none, or several. */
export async function idOfUser({ services, idOf }: Writing<unknown>, name: string): Promise<number | undefined> {
  return idOf('user', name) ?? (await services.users.named(name))?.id;
}

export async function idOfChannel({ services, idOf }: Writing<unknown>, name: string): Promise<number | undefined> {
  const managed = idOf('channel', name);
  if (managed !== undefined) return managed;
  const [id, ...others] = await services.channels.idsNamed(name);
  return others.length === 0 ? id : undefined;
}
