import { createHash } from 'node:crypto';
import type { EditedThing } from '@headgate/contract';
import type { Transaction, TransactionWatch } from '../db/transaction.ts';
import { Refusal } from '../errors/refusal.ts';
import type { EditedRowRepository } from './edited-row-repository.ts';

export interface ThingId {
  readonly thing: EditedThing;
  readonly id: number;
}

/** What can be edited of a thing, as one word that is another as soon as any of it is. Undefined: it is not there. */
export async function etagOf(rows: EditedRowRepository, { thing, id }: ThingId): Promise<string | undefined> {
  const values = await rows.read(thing, id);
  if (!values) return undefined;
  const hash = createHash('sha256').update(JSON.stringify([thing, id, ...values]));
  return `"${hash.digest('base64url').slice(0, 27)}"`;
}

/** Longer than any list of ours. */
const longestHeader = 1000;

/**
 * Whether If-Match names this. A proxy that compresses answers makes ETags weak on the way: that mark is not looked at,
 * as ours say nothing of bytes.
 */
function isMatch(ifMatch: string, etag: string): boolean {
  if (ifMatch.trim() === '*') return true;
  if (ifMatch.length > longestHeader) return false;
  return ifMatch.split(',').some((part) => part.trim().replace(/^W\//, '') === etag);
}

/**
 * A change of one thing. It is refused where somebody else has changed the thing since the caller read it, in the
 * transaction that makes the change and with the row locked; so of two who read the same, one is refused. The refusal
 * comes last: who may not even see the thing is told what he is always told.
 */
export class ThingEdit implements TransactionWatch {
  readonly #rows: EditedRowRepository;
  readonly #subject: ThingId;
  readonly #ifMatch: string | undefined;
  #isStale = false;
  #hasEnded = false;
  #etag: string | undefined;

  constructor(rows: EditedRowRepository, subject: ThingId, ifMatch: string | undefined) {
    this.#rows = rows;
    this.#subject = subject;
    this.#ifMatch = ifMatch;
  }

  async begun(transaction: Transaction): Promise<void> {
    if (this.#ifMatch === undefined) return;
    const rows = this.#rows.within(transaction);
    await rows.lock(this.#subject.thing, this.#subject.id);
    this.#judge(await etagOf(rows, this.#subject));
  }

  async ending(transaction: Transaction): Promise<void> {
    this.#refuseStale();
    this.#etag = await etagOf(this.#rows.within(transaction), this.#subject);
    this.#hasEnded = true;
  }

  /** The ETag of what is stored now; also of a call that found nothing to change and began no transaction. */
  async etag(): Promise<string | undefined> {
    if (this.#hasEnded) return this.#etag;
    const stored = await etagOf(this.#rows, this.#subject);
    this.#judge(stored);
    this.#refuseStale();
    return stored;
  }

  #judge(etag: string | undefined): void {
    this.#isStale = this.#ifMatch !== undefined && etag !== undefined && !isMatch(this.#ifMatch, etag);
  }

  #refuseStale(): void {
    if (this.#isStale) throw new Refusal('changedMeanwhile');
  }
}
