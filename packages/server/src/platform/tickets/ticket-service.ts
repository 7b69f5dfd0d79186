import { randomBytes } from 'node:crypto';
import { nowInSeconds } from '../runtime/clock.ts';
import { hashSecret, type SecretBox } from '../secrets/secret-box.ts';
import type { TicketRepository } from './ticket-repository.ts';

/** Kinds of half-done sign-ins, and how long somebody may take to finish them. */
const lifetimes = { oauth: 600, second: 300, passkey: 300 } as const;
/** Kinds of things that work once, and how long their use is remembered. */
const memories = { turnstile: 600, wechat: 600 } as const;

interface NewTicket {
  readonly purpose: keyof typeof lifetimes;
  /** The secret of the browser that began: no other can finish. */
  readonly browser: string;
  /** Who was signed in when it began; 0: nobody. */
  readonly userId: number;
  /** What has to be known at the end. */
  readonly detail: object;
}

/** Sign-ins that have begun somewhere and must be finished there, once, soon, on whichever node. */
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

  /** What the ticket was issued with, once; undefined for another browser, too late, or a second time. */
  async redeem(
    purpose: NewTicket['purpose'],
    ticket: string,
    browser: string | undefined,
  ): Promise<{ userId: number; detail: unknown } | undefined> {
    if (ticket === '' || browser === undefined) return undefined;
    const row = await this.#tickets.take(wanted(purpose, ticket, browser), nowInSeconds());
    // trusted JSON: written and sealed by this program.
    return row && { userId: row.user_id, detail: JSON.parse(this.#box.open(row.detail_sealed)) };
  }

  /** Whose it is, without using it up. */
  async ownerOf(
    purpose: NewTicket['purpose'],
    ticket: string,
    browser: string | undefined,
  ): Promise<number | undefined> {
    if (ticket === '' || browser === undefined) return undefined;
    return (await this.#tickets.find(wanted(purpose, ticket, browser), nowInSeconds()))?.user_id;
  }

  /** True for the first who uses this value, whoever asks and on whichever node. */
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
