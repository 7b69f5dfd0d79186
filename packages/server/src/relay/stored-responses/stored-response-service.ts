import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { OptionValues } from '@headgate/contract';
import {
  type JsonObject,
  parseJson,
  parseJsonObject,
  type ReferencedContext,
  responseStorage,
  type StoredResponse,
} from '@headgate/dialects';
import {
  type Caller,
  isStoredId,
  maxReferencedBytes,
  maxStoredBytes,
  type ReferencedResponses,
  type RequestMemoryLimit,
  type ResponseStore,
  storedContextTooLargeError,
} from '@headgate/relay';
import { largeBodyBytes } from '../../http/bodies/body-reader.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { StorageQuota } from '../payload-logging/storage-quota.ts';
import type { StoredItemLocation, StoredResponseRepository, StoredResponseRow } from './stored-response-repository.ts';
import type { UserStorageQuota } from './user-storage-quota.ts';

interface StoredResponseDependencies {
  readonly responses: StoredResponseRepository;
  readonly box: SecretBox;
  readonly room: Pick<UserStorageQuota, 'fits' | 'added'>;
  /** Limit for all users. */
  readonly total: StorageQuota;
  readonly options: { readonly values: Pick<OptionValues, 'StoredResponseDays'> };
  /** Returns the result, or fails if the database takes too long. */
  readonly inTime: <T>(response: Promise<T>) => Promise<T>;
  /** Current time in Unix seconds. */
  readonly clock: () => number;
  readonly onFailure: (error: unknown) => void;
}

type Memory = Pick<RequestMemoryLimit, 'take'>;

interface InputPage {
  readonly query: URLSearchParams;
  readonly memory: Memory;
}

const secondsPerDay = 24 * 3600;
/** Rows per statement. */
const rowsAtOnce = 16;

/** Responses stored by the gateway, for upstreams that do not store them. Responses of other users are not found. */
export class StoredResponseService implements ResponseStore<TokenCaller> {
  readonly #dependencies: StoredResponseDependencies;
  /** Bytes still to delete to stay within the limit for all users. */
  #excess = 0;

  constructor(dependencies: StoredResponseDependencies) {
    this.#dependencies = dependencies;
  }

  isOn(): boolean {
    return this.#days > 0;
  }

  async add({ userId }: Caller, { id, itemIds, input, response }: StoredResponse): Promise<boolean> {
    const { inTime, onFailure } = this.#dependencies;
    if (!isStoredId(id)) return false;
    const sides = { input: Buffer.from(JSON.stringify(input)), answer: Buffer.from(JSON.stringify(response)) };
    if (sides.input.length + sides.answer.length > maxStoredBytes) return false;
    try {
      return await inTime(this.#add(userId, id, sides, itemIds.filter(isStoredId)));
    } catch (error) {
      onFailure(error);
      return false;
    }
  }

  async find(
    caller: TokenCaller,
    { response, items }: ReferencedResponses,
    memory: RequestMemoryLimit,
  ): Promise<ReferencedContext> {
    const { userId } = caller;
    const ids = items.filter(isStoredId);
    const paid = paidMemory(caller, memory);
    const previous = response === undefined ? undefined : await this.#read(userId, response, paid);
    return {
      previous,
      items: ids.length === 0 ? none : await this.#dependencies.inTime(this.#items(userId, ids, paid)),
    };
  }

  /** The response as it was sent; undefined if this user has none with this id. */
  async response({ userId }: Caller, id: string, memory: Memory): Promise<JsonObject | undefined> {
    return (await this.#read(userId, id, memory))?.response;
  }

  /** One page of the response's input. */
  async inputOf({ userId }: Caller, id: string, { query, memory }: InputPage): Promise<JsonObject | undefined> {
    const found = await this.#read(userId, id, memory);
    const requested = Object.fromEntries(
      ['after', 'limit', 'order'].map((name) => [name, query.get(name) ?? undefined]),
    );
    return found && responseStorage.listInput({ id, input: found.input }, requested);
  }

  /** Returns false if this user has no response with this id. */
  async remove({ userId }: Caller, id: string): Promise<boolean> {
    return isStoredId(id) && (await this.#dependencies.responses.remove(userId, id));
  }

  /** Deletes some responses that have expired or exceed the limit for all users. Returns 0 if none are left. */
  async removeExpired(now: number): Promise<number> {
    const removed = await this.#dependencies.responses.removeUntil(now - this.#days * secondsPerDay);
    return removed > 0 ? removed : this.#removeExcess();
  }

  recount(): Promise<void> {
    return this.#dependencies.total.recount();
  }

  removeOfClosed(): Promise<number> {
    return this.#dependencies.responses.removeOfClosed();
  }

  get #days(): number {
    return this.#dependencies.options.values.StoredResponseDays;
  }

  /** Responses up to this time have expired. */
  get #until(): number {
    return this.#dependencies.clock() - this.#days * secondsPerDay;
  }

  async #add(
    user_id: number,
    response_id: string,
    sides: { readonly input: Buffer; readonly answer: Buffer },
    itemIds: readonly string[],
  ): Promise<boolean> {
    const { responses, box, room, total, clock } = this.#dependencies;
    const row = await encryptResponse(box, { user_id, response_id, created_time: clock(), ...sides });
    const { stored_bytes } = row;
    if (!room.fits(stored_bytes) || !(await total.take(stored_bytes))) return false;
    const isInserted = await responses.insert(row, itemIds);
    if (isInserted) await room.added(user_id, stored_bytes);
    return isInserted;
  }

  /** Not awaited: the time only determines which responses are deleted first. */
  #use(userId: number, ids: readonly string[]): void {
    const { responses, clock, onFailure } = this.#dependencies;
    responses.use(userId, ids, clock()).catch(onFailure);
  }

  async #removeExcess(): Promise<number> {
    const { responses, total } = this.#dependencies;
    if (this.#excess === 0) this.#excess = await total.excess();
    if (this.#excess === 0) return 0;
    const removed = await responses.removeUnused(this.#excess);
    this.#excess = removed === 0 ? 0 : Math.max(0, this.#excess - removed);
    if (this.#excess === 0) await total.recount();
    return removed;
  }

  async #read(userId: number, id: string, memory: Memory): Promise<ReferencedContext['previous']> {
    const { responses, inTime, box, onFailure } = this.#dependencies;
    const row = isStoredId(id) ? await inTime(responses.find(userId, id, this.#until)) : undefined;
    if (!row) return undefined;
    memory.take(row.input_bytes + row.answer_bytes);
    this.#use(userId, [id]);
    try {
      const input = parseJson(await decryptPart(box, 'input', row));
      const response = parseJsonObject(await decryptPart(box, 'answer', row));
      return response && { response, input: Array.isArray(input) ? input : [] };
    } catch (error) {
      onFailure(error);
      return undefined;
    }
  }

  async #items(userId: number, ids: readonly string[], memory: Memory): Promise<ReadonlyMap<string, JsonObject>> {
    const { responses } = this.#dependencies;
    const locations = await responses.findItems(userId, ids, this.#until);
    const sizes = new Map(locations.map(({ response_id, answer_bytes }) => [response_id, answer_bytes]));
    const bytes = [...sizes.values()].reduce((sum, each) => sum + each, 0);
    if (bytes > maxReferencedBytes) throw storedContextTooLargeError('input');
    memory.take(bytes);
    if (sizes.size > 0) this.#use(userId, [...sizes.keys()]);
    const found = new Map<string, JsonObject>();
    const named = [...sizes.keys()];
    for (let at = 0; at < named.length; at += rowsAtOnce)
      for (const row of await responses.byIds(userId, named.slice(at, at + rowsAtOnce), this.#until))
        await this.#pick(row, locations, found);
    return found;
  }

  /** Adds the items of one response. */
  async #pick(
    row: Parameters<typeof decryptPart<'answer'>>[2],
    locations: readonly StoredItemLocation[],
    found: Map<string, JsonObject>,
  ): Promise<void> {
    const { box, onFailure } = this.#dependencies;
    try {
      const response = parseJsonObject(await decryptPart(box, 'answer', row)) ?? {};
      for (const { item_id, response_id } of locations) {
        const item = response_id === row.response_id ? responseStorage.itemIn(response, item_id) : undefined;
        if (item) found.set(item_id, item);
      }
    } catch (error) {
      onFailure(error);
    }
  }
}

const none: ReadonlyMap<string, JsonObject> = new Map();

/** Large responses are decrypted only for callers with remaining quota, like large bodies. */
const paidMemory = (caller: TokenCaller, memory: Memory): Memory => ({
  take: (bytes) => {
    if (bytes > largeBodyBytes) caller.requireQuota();
    memory.take(bytes);
  },
});

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** The names of the columns. */
type Side = 'input' | 'answer';
type Facts = Pick<StoredResponseRow, 'user_id' | 'response_id' | 'created_time' | 'input_bytes' | 'answer_bytes'>;

interface PlainResponse extends Pick<Facts, 'user_id' | 'response_id' | 'created_time'> {
  readonly input: Buffer;
  readonly answer: Buffer;
}

/** All columns are authenticated, so that the data can be decrypted only in its own row and for its own user. */
const associatedData = (side: Side, { user_id, response_id, created_time, input_bytes, answer_bytes }: Facts): string =>
  JSON.stringify(['stored response', side, user_id, response_id, created_time, input_bytes, answer_bytes]);

/** Compresses on another thread, then encrypts. */
async function encryptResponse(box: SecretBox, response: PlainResponse): Promise<StoredResponseRow> {
  const { input, answer, ...named } = response;
  const facts = { ...named, input_bytes: input.length, answer_bytes: answer.length };
  const seal = async (side: Side) =>
    box.sealBytes(await deflate(response[side], { level: constants.Z_BEST_SPEED }), associatedData(side, facts));
  const [input_sealed, answer_sealed] = await Promise.all([seal('input'), seal('answer')]);
  const { created_time: used_time } = named;
  return { ...facts, used_time, stored_bytes: input_sealed.length + answer_sealed.length, input_sealed, answer_sealed };
}

/** Throws if a row was changed or encrypted with another key. */
async function decryptPart<S extends Side>(
  box: SecretBox,
  side: S,
  row: Facts & Pick<StoredResponseRow, `${S}_sealed`>,
): Promise<string> {
  const sealed: Uint8Array = row[`${side}_sealed`];
  const bytes = await inflate(box.openBytes(sealed, associatedData(side, row)), { maxOutputLength: maxStoredBytes });
  return bytes.toString('utf8');
}
