import { type UsageMeasure, usageMeasures } from '@headgate/contract';
import { Refusal } from '../../platform/errors/refusal.ts';
import { secondsPerDay } from '../logs/roll-up.ts';
import type { Span } from '../logs/time-span.ts';
import { ChosenUsers } from './chosen-users.ts';
import type { PackShelf } from './pack-shelf.ts';
import { type PackQuestion, PackSums } from './pack-sums.ts';
import { PackedTime } from './packed-time.ts';
import type { RememberedSums } from './remembered-sums.ts';
import type { TokenPackRepository } from './token-pack-repository.ts';
import { daysOf, type HourKind, type PackAt, type PackColumn, type PackKey, type PackKind } from './usage-pack.ts';
import type { UsagePackRepository } from './usage-pack-repository.ts';
import type { UsageFilter } from './usage-question.ts';
import type { Snapshot, UsageRepository } from './usage-repository.ts';
import type { Piece, SumsRequest, SumsRow } from './usage-request.ts';
import { type Column, isOfTokenNames, sourceFor, tableFor } from './usage-source.ts';

type Owners = readonly number[] | undefined;

/** Which packs add up to a time. */
type Starts = readonly (readonly [PackKind, readonly PackAt[]])[];

/**
 * The largest users by day or hour are read from the packs of hours as long as these add up no more logs: so many are
 * remembered. Of more, the rows of these users alone are quicker to read.
 */
const mostLogsOfHours = 2_000_000;

/** What was read and added up for earlier answers. */
export interface UsageMemory {
  readonly shelf: PackShelf;
  readonly remembered: RememberedSums;
}

/** Adds up usage for one answer: closed hours from where they are packed, the others from their sums. */
export class UsageReader {
  readonly #sums: UsageRepository;
  readonly #packs: UsagePackRepository;
  readonly #tokens: TokenPackRepository;
  readonly #span: Span;
  #time: Promise<PackedTime> | undefined;
  #tokenTime: Promise<PackedTime | undefined> | undefined;
  readonly #shelf: PackShelf;
  readonly #remembered: RememberedSums;

  /** The span is that of the whole answer. */
  constructor(
    { sums, packs, tokens }: Pick<Snapshot, 'sums' | 'packs' | 'tokens'>,
    span: Span,
    { shelf, remembered }: UsageMemory,
  ) {
    this.#sums = sums;
    this.#packs = packs;
    this.#tokens = tokens;
    this.#span = span;
    this.#shelf = shelf;
    this.#remembered = remembered;
  }

  async sums(request: SumsRequest, owners: Owners): Promise<readonly SumsRow[]> {
    if (owners?.length === 0 || request.among?.length === 0) return [];
    const needed = neededBy(request);
    const { from, to, filter } = request;
    const tokenTime =
      owners === undefined && isOfTokenNames(needed, filter) ? await this.#timeOfTokens(filter) : undefined;
    if (tokenTime) return this.#packedSums('tokens', tokenTime, request, owners);
    const isInRows = isOfFewUsers(request, owners) && !(await this.#isOfPackedUsers(request, owners));
    const source = sourceFor(needed, filter, isInRows);
    if ('packs' in source) return this.#packedSums(source.packs, await this.#packedTime(), request, owners);
    if (source.table !== 'user_hours') return this.#tableSums(request, [{ table: source.table, from, to }], owners);
    const { packed, others } = (await this.#packedTime()).cut(request);
    const pieces = [
      ...packed.map((span): Piece => ({ table: 'user_hours', ...span })),
      ...others.map((span): Piece => ({ table: 'usage_hours', ...span })),
    ];
    return this.#tableSums(request, pieces, owners);
  }

  /** Whether the largest users are looked for among all in packs, and not by their rows. */
  async #isOfPackedUsers(request: SumsRequest, owners: Owners): Promise<boolean> {
    if (!isOfRankedUsers(request, owners)) return false;
    return request.time === undefined || (await this.#packedTime()).logsIn(request) <= mostLogsOfHours;
  }

  async #tableSums(request: SumsRequest, pieces: readonly Piece[], owners: Owners): Promise<readonly SumsRow[]> {
    if (!isOfFewUsers(request, owners) && request.filter.channel === undefined) {
      // The finest sums of a long time are too many where nothing narrows them down.
      const finest = pieces.filter(({ table }) => table === 'usage_hours');
      if (!(await this.#sums.isReadable(finest))) throw new Refusal('usageTooWide');
    }
    return this.#sums.sums(request, pieces, owners);
  }

  async #packedSums(
    kind: HourKind,
    packed: PackedTime,
    request: SumsRequest,
    owners: Owners,
  ): Promise<readonly SumsRow[]> {
    const { by, filter, largest, among } = request;
    const isRanking = largest !== undefined && by.includes('user_id') && !among;
    const measures: readonly UsageMeasure[] = isRanking ? [largest.measure] : usageMeasures;
    const users = isOfRankedUsers(request, owners) ? among?.map(({ user_id }) => Number(user_id)) : undefined;
    const asked = { by: by as readonly PackKey[], measures, filter };
    const sums = await this.#sumsOfPacks(await this.#startsOf(kind, packed, request), request, asked, users);
    const table = tableFor(neededBy(request));
    const others = packed.cut(request).others.map((span): Piece => ({ table, ...span }));
    for (const row of await this.#tableSums({ ...request, largest: undefined }, others, owners)) sums.addSum(row);
    if (!largest) return sums.rows() as readonly SumsRow[];
    const top = sums.largest(largest.measure, largest.count) as readonly SumsRow[];
    // Of all users one measure is read; of the largest ones the others too.
    return isRanking ? this.sums({ ...request, among: top.map(({ user_id = 0 }) => ({ user_id })) }, owners) : top;
  }

  async #sumsOfPacks(
    starts: Starts,
    request: SumsRequest,
    asked: Pick<PackQuestion, 'by' | 'measures' | 'filter'>,
    users: readonly number[] | undefined,
  ): Promise<PackSums> {
    const { time, offset = 0 } = request;
    const { by, measures, filter } = asked;
    const chosen = users === undefined ? [] : (['user_id'] as const);
    const columns = [...new Set([...by, ...Object.keys(filter), ...measures, ...chosen])] as PackColumn[];
    const timeOf = (start: number) =>
      time === 'hour' ? start : time === 'day' ? Math.floor((start + offset) / secondsPerDay) : 0;
    return this.#remembered.of({ asked, users, time, offset, starts }, async () => {
      const sums = new PackSums({ ...asked, users: users && new ChosenUsers(users) });
      for (const [each, wanted] of starts) {
        const packs = await this.#shelf.at(this.#packs, each, wanted, columns);
        for (const pack of packs) sums.add(pack, timeOf(pack.start));
      }
      return sums;
    });
  }

  /** Which packs add up to the packed part of a time: days where nobody asks when, else hours. */
  async #startsOf(kind: HourKind, packed: PackedTime, request: SumsRequest): Promise<Starts> {
    const hours = packed.hoursIn(request);
    if (request.time !== undefined || kind === 'tokens') return [[kind, hours]];
    const days = packed.daysIn(request, await this.#packs.states(daysOf[kind], request.from, request.to));
    const isInDay = new Set(days.map(({ start }) => start));
    return [
      [daysOf[kind], days],
      [kind, hours.filter(({ start }) => !isInDay.has(start - (start % secondsPerDay)))],
    ];
  }

  /** Which hours are packed with the token name of the filter told apart, when it is one that many users have. */
  #timeOfTokens({ token_name = '' }: UsageFilter): Promise<PackedTime | undefined> {
    this.#tokenTime ??= this.#tokens.idOf(token_name).then(async (id) => {
      if (id === undefined) return undefined;
      const states = await this.#tokens.states(this.#span);
      return new PackedTime(
        states.map(({ hour, logs, names, made }) => ({
          hour,
          logged: logs,
          packed: names !== null && names >= id ? logs : null,
          version: made,
        })),
      );
    });
    return this.#tokenTime;
  }

  #packedTime(): Promise<PackedTime> {
    this.#time ??= this.#packs.hours(this.#span.from, this.#span.to).then((hours) => new PackedTime(hours));
    return this.#time;
  }
}

const neededBy = ({ by, filter, among = [] }: SumsRequest): ReadonlySet<Column> =>
  new Set([...by, ...(Object.keys(filter) as Column[]), ...among.flatMap((values) => Object.keys(values) as Column[])]);

const isOfFewUsers = ({ filter, among }: SumsRequest, owners: Owners): boolean =>
  owners !== undefined ||
  filter.user_id !== undefined ||
  (among?.every(({ user_id }) => user_id !== undefined) ?? false);

/** Users who were found to be the largest, and nothing else of them. */
const isOfRankedUsers = ({ filter, among }: SumsRequest, owners: Owners): boolean =>
  owners === undefined &&
  filter.user_id === undefined &&
  (among?.every((values) => values.user_id !== undefined && Object.keys(values).length === 1) ?? false);
