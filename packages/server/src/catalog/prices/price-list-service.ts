import {
  canApplyAutomatically,
  type ModelPrice,
  type PriceListContent,
  type PriceProposal,
  priceListFormats,
  proposePrices,
  readPriceList,
  type StoredOptionValues,
  toPriceChanges,
} from '@headgate/contract';
import { responseBounds } from '@headgate/dialects';
import { automaticActor } from '../../accounts/users/automatic-actor.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { OutgoingError, requestJson } from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { PriceCache } from './price-cache.ts';
import type { PriceChangeService } from './price-change-service.ts';
import type { PriceRepository } from './price-repository.ts';

/** About five times the size of the largest published list. */
const maxBytes = 16 * 1024 * 1024;
const bounds = { ...responseBounds, containers: 100_000, names: 500_000, strings: 1_000_000, items: 500_000 };
const timeoutMs = 30_000;
const checkEveryMs = 600_000;
const day = 86_400;

/** Actor of automatic price updates in the log. */
const actor = automaticActor('@price-list');

interface PriceListServiceDependencies {
  readonly options: { readonly values: StoredOptionValues };
  readonly book: PriceCache;
  readonly repository: Pick<PriceRepository, 'claimUpdate'>;
  readonly changes: PriceChangeService;
  readonly managed: Pick<ManagedGuard, 'names'>;
  readonly prices: () => Promise<readonly ModelPrice[]>;
  readonly onFailure: (error: unknown) => void;
  readonly onUpdated: (result: { readonly applied: number; readonly waiting: number }) => void;
}

/** Compares prices with a published list, and applies small changes from it on a schedule. */
export class PriceListService {
  readonly #dependencies: PriceListServiceDependencies;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(dependencies: PriceListServiceDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.update(nowInSeconds()).catch(this.#dependencies.onFailure);
    }, checkEveryMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  /** Differences between the current prices and a list: the given one, or the one in the options. */
  async compare(given: string | undefined) {
    const url = given || this.#dependencies.options.values.PriceListUrl;
    const list = await readList(url);
    const proposals = proposePrices(list, await this.#dependencies.prices());
    return { format: list.format, url, prices: list.prices.length, proposals };
  }

  /** Applies small changes if an update is due; on one node only. */
  async update(now: number): Promise<void> {
    const { options, repository, changes, managed, onUpdated } = this.#dependencies;
    const { PriceListDays, PriceListMaxPercent } = options.values;
    if (PriceListDays === 0) return;
    if (!(await repository.claimUpdate(now, PriceListDays * day))) return;
    const { format, proposals } = await this.compare(undefined);
    const fixed = await managed.names('model');
    const mayChange = (proposal: PriceProposal) =>
      canApplyAutomatically(proposal, PriceListMaxPercent) &&
      !fixed.has(proposal.model) &&
      this.#isAutomatic(proposal.model);
    const wanted = proposals.filter(mayChange);
    if (wanted.length > 0) await changes.save(actor, toPriceChanges(wanted), format);
    onUpdated({ applied: wanted.length, waiting: proposals.length - wanted.length });
  }

  /** True if no admin set the price: it is built in or comes from a list. */
  #isAutomatic(model: string): boolean {
    return this.#dependencies.book.rowsOf(model).every(({ source }) => Object.hasOwn(priceListFormats, source));
  }
}

async function readList(url: string): Promise<PriceListContent> {
  try {
    const { status, json } = await requestJson(url, { timeoutMs, maxBytes, bounds });
    if (status !== 200) throw new ApiError('priceListUnavailable', { reason: `status ${status}` });
    const list = readPriceList(json);
    if (!list) throw new ApiError('priceListUnknown');
    return list;
  } catch (error) {
    if (error instanceof OutgoingError) throw new ApiError('priceListUnavailable', { reason: error.message });
    throw error;
  }
}
