import type { OptionValues } from '@headgate/contract';

interface StoredRoomDependencies {
  readonly options: { readonly values: Pick<OptionValues, 'KeptBodiesMegabytes'> };
  readonly count: () => Promise<number>;
}

const bytesPerMegabyte = 1_000_000;

/** How much room kept bodies take in the database: counted now and then, and between that what this node adds. */
export class StoredRoom {
  readonly #dependencies: StoredRoomDependencies;
  /** Undefined before anything was kept. */
  #used: number | undefined;

  constructor(dependencies: StoredRoomDependencies) {
    this.#dependencies = dependencies;
  }

  /** False: what is kept already takes all that it may. */
  async take(bytes: number): Promise<boolean> {
    this.#used ??= await this.#dependencies.count();
    const most = this.#dependencies.options.values.KeptBodiesMegabytes * bytesPerMegabyte;
    if (this.#used + bytes > most) return false;
    this.#used += bytes;
    return true;
  }

  /** Nothing is counted as long as nothing is kept here. */
  async recount(): Promise<void> {
    if (this.#used !== undefined) this.#used = await this.#dependencies.count();
  }
}
