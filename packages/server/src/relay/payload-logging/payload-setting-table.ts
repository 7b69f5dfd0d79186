import type { OptionValues } from '@headgate/contract';
import type { PayloadSettingRow } from './payload-setting-repository.ts';

/** Retention and maximum size of one body. */
export interface PayloadRetention {
  readonly seconds: number;
  readonly bytes: number;
}

interface Options {
  readonly values: Pick<OptionValues, 'KeepBodies' | 'LogConsumeEnabled'>;
}

const secondsPerHour = 3600;
const bytesPerKilobyte = 1024;

/** Payload logging settings, kept in memory because they are looked up for every request. */
export class PayloadSettingTable {
  readonly #read: () => Promise<readonly PayloadSettingRow[]>;
  readonly #options: Options;
  #users: ReadonlyMap<number, PayloadRetention> = new Map();
  #tokens: ReadonlyMap<number, PayloadRetention> = new Map();
  #hasSome = false;
  #readings = 0;
  #shown = 0;

  constructor(read: () => Promise<readonly PayloadSettingRow[]>, options: Options) {
    this.#read = read;
    this.#options = options;
  }

  /** Discards reads older than the loaded state, which would restore removed settings. */
  async load(): Promise<void> {
    this.#readings += 1;
    const reading = this.#readings;
    const rows = await this.#read();
    if (reading < this.#shown) return;
    this.#shown = reading;
    this.#users = settingsByOwner(rows, 'user');
    this.#tokens = settingsByOwner(rows, 'token');
    this.#hasSome = rows.length > 0;
  }

  /** False while consumption is not logged: without a log row, stored payloads would be inaccessible. */
  get isOn(): boolean {
    if (!this.#hasSome) return false;
    const { KeepBodies, LogConsumeEnabled } = this.#options.values;
    return KeepBodies !== 'off' && LogConsumeEnabled;
  }

  /** If both a token and a user setting apply, the longer time and the larger size are used. */
  find(token: number, user: number): PayloadRetention | undefined {
    const [ofToken, ofUser] = [this.#tokens.get(token), this.#users.get(user)];
    if (!ofToken || !ofUser) return ofToken ?? ofUser;
    return { seconds: Math.max(ofToken.seconds, ofUser.seconds), bytes: Math.max(ofToken.bytes, ofUser.bytes) };
  }
}

const settingsByOwner = (
  rows: readonly PayloadSettingRow[],
  kind: PayloadSettingRow['kind'],
): ReadonlyMap<number, PayloadRetention> =>
  new Map(
    rows
      .filter((row) => row.kind === kind)
      .map(({ owner_id, hours, kilobytes }) => [
        owner_id,
        { seconds: hours * secondsPerHour, bytes: kilobytes * bytesPerKilobyte },
      ]),
  );
