import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SsoRepository } from './sso-repository.ts';

const maxAgeSeconds = 10;

/** Whether any organization has a usable provider. Cached, so that the gateway's status never waits for the database. */
export class SsoAvailability {
  readonly #sso: Pick<SsoRepository, 'isAnyUsable'>;
  #isAvailable: boolean | undefined;
  #checkedTime = 0;

  constructor(sso: Pick<SsoRepository, 'isAnyUsable'>) {
    this.#sso = sso;
  }

  /** Waits only for the first value; later calls return the previous one while it is refreshed. */
  async get(): Promise<boolean> {
    const now = nowInSeconds();
    if (Math.abs(now - this.#checkedTime) < maxAgeSeconds) return this.#isAvailable ?? false;
    this.#checkedTime = now;
    const refreshed = this.#refresh();
    return this.#isAvailable ?? refreshed;
  }

  async #refresh(): Promise<boolean> {
    try {
      this.#isAvailable = await this.#sso.isAnyUsable();
    } catch {
      // The status is served while the database is unavailable.
    }
    return this.#isAvailable ?? false;
  }
}
