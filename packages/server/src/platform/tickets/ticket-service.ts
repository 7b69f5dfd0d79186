import { randomBytes } from 'node:crypto';
import { nowInSeconds } from '../runtime/clock.ts';
import { hashSecret, type SecretBox } from '../secrets/secret-box.ts';
import type { TicketRepository } from './ticket-repository.ts';

/** Kinds of unfinished sign-ins, and the time to finish them in seconds. */
const lifetimes = { oauth: 600, sso: 600, second: 300, passkey: 300 } as const;
/** Kinds of one-time values, and how long their use is stored, in seconds. */
const memories = { turnstile: 600, wechat: 600 } as const;

interface NewTicket {
  readonly purpose: keyof typeof lifetimes;
  /** Secret of the browser that started the sign-in; only that browser can finish it. */
  readonly browser: string;
  /** User who was signed in at the start; 0 if none. */
  readonly userId: number;
  /** Data needed to finish the sign-in. */
  readonly detail: object;
}

/** Sign-ins that must be finished soon and only once, in the browser that started them, on any node. */
export class TicketService {
  readonly #tickets: TicketRepository;
  readonly #box: SecretBox;

  constructor(tickets: TicketRepository, box: SecretBox) {
    this.#tickets = tickets;
    this.#box = box;
  }

  async issue({ purpose, browser, userId, detail }: NewTicket): Promise<string> {
    const now = nowInSeconds();
    await this.#tickets.removeExpired(now);
    const ticket = randomBytes(24).toString('base64url');
    await this.#tickets.insert({
      ticket_hash: hashSecret(`${purpose}\n${ticket}`),
      purpose,
      browser_hash: hashSecret(browser),
      user_id: userId,
      detail_sealed: this.#box.seal(JSON.stringify(detail)),
      expires_time: now + lifetimes[purpose],
    });
    return ticket;
  }

  /** Returns the ticket's data once; undefined for another browser, after expiry, or on a second call. */
  async redeem(
    purpose: NewTicket['purpose'],
    ticket: string,
    browser: string | undefined,
  ): Promise<{ userId: number; detail: unknown } | undefined> {
    if (ticket === '' || browser === undefined) return undefined;
    const row = await this.#tickets.take(wanted(purpose, ticket, browser), nowInSeconds());
    // trusted JSON: written and encrypted by this program.
    return row && { userId: row.user_id, detail: JSON.parse(this.#box.open(row.detail_sealed)) };
  }

  /** The ticket's user, without redeeming the ticket. */
  async ownerOf(
    purpose: NewTicket['purpose'],
    ticket: string,
    browser: string | undefined,
  ): Promise<number | undefined> {
    if (ticket === '' || browser === undefined) return undefined;
    return (await this.#tickets.find(wanted(purpose, ticket, browser), nowInSeconds()))?.user_id;
  }

  /** True for the first use of this value on any node. */
  async isFirstUse(purpose: keyof typeof memories, value: string): Promise<boolean> {
    const now = nowInSeconds();
    await this.#tickets.removeExpired(now);
    return this.#tickets.insert({
      ticket_hash: this.#box.fingerprint(`${purpose}\n${value}`),
      purpose,
      browser_hash: '',
      user_id: 0,
      detail_sealed: '',
      expires_time: now + memories[purpose],
    });
  }
}

const wanted = (purpose: NewTicket['purpose'], ticket: string, browser: string) => ({
  purpose,
  ticket_hash: hashSecret(`${purpose}\n${ticket}`),
  browser_hash: hashSecret(browser),
});
