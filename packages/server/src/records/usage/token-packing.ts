import { randomInt } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { isRequest, rollUp, type Summable } from '../logs/roll-up.ts';
import { packHour } from './make-pack.ts';
import type { StaleHour, TokenHourRow, TokenPackRepository, TokenSums } from './token-pack-repository.ts';
import { everyType, type UsagePackRepository } from './usage-pack-repository.ts';

/** Adds closed hours up by the token names that many users have. */
export class TokenPacking {
  readonly #packs: UsagePackRepository;
  readonly #tokens: TokenPackRepository;
  /** Names that were looked at since hours were last asked for: once is enough. */
  #lookedAt = new Set<string>();

  constructor(packs: UsagePackRepository, tokens: TokenPackRepository) {
    this.#packs = packs;
    this.#tokens = tokens;
  }

  /** The hours up to a time that are to be added up, the newest first. */
  async hours(to: number): Promise<readonly StaleHour[]> {
    this.#lookedAt = new Set();
    return (await this.#tokens.stale(to)).toReversed();
  }

  async pack({ hour, version }: StaleHour): Promise<void> {
    const claim = -randomInt(2, 2 ** 47);
    await this.#tokens.claim(hour, claim);
    const finest: Summable[] = [];
    for await (const some of this.#packs.finest(hour, everyType)) {
      finest.push(...some);
      // SQLite never waits, so that without this everybody else would.
      await turn();
    }
    await this.#noteShared(finest);
    await this.#tokens.finish(claim, tokenSumsOf(hour, finest, await this.#tokens.names()), version ?? 0);
  }

  async #noteShared(finest: readonly Summable[]): Promise<void> {
    const names = new Set(finest.map(({ token_name }) => token_name)).difference(this.#lookedAt);
    for (const name of names) this.#lookedAt.add(name);
    names.delete('');
    await this.#tokens.noteShared([...names]);
  }
}

function tokenSumsOf(hour: number, finest: readonly Summable[], names: readonly string[]): TokenSums {
  const isTold = new Set(names);
  const told = finest.filter(({ token_name }) => isTold.has(token_name));
  const requests = told.filter(({ type }) => isRequest(type));
  return {
    hour,
    logs: finest.reduce((sum, { rows }) => sum + rows, 0),
    names: names.length,
    rows: rollUp('token_hours', told) as TokenHourRow[],
    pack: packHour('tokens', hour, requests),
  };
}
