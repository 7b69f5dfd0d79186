import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../platform/db/transaction.ts';
import { clientNetwork } from '../../platform/rate-limits/client-network.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { ignoreStorageFault } from '../../platform/storage/storage-health.ts';
import { type SessionRepository, sessionNameLength } from './session-repository.ts';

export const sessionLifetimeSeconds = 30 * 24 * 3600;

/** Minimum interval between writes of the last use. */
const touchAfterSeconds = 3600;

/** How long a proof of identity allows changes to sign-in methods. */
const proofLifetimeSeconds = 600;

type SessionUser = Omit<NonNullable<Awaited<ReturnType<SessionRepository['findUser']>>>, 'seen_time'>;

export interface SessionOrigin {
  readonly address: string;
  readonly userAgent: string;
}

const hashOf = (id: string) => createHash('sha256').update(id).digest('hex');

export class SessionService {
  readonly #sessions: SessionRepository;
  #onStarted: (userId: number, origin: SessionOrigin) => void = () => undefined;

  constructor(sessions: SessionRepository) {
    this.#sessions = sessions;
  }

  /** Registers a listener for every sign-in. */
  listen(onStarted: (userId: number, origin: SessionOrigin) => void): void {
    this.#onStarted = onStarted;
  }

  /** Returns the id for the cookie; only its hash is stored. */
  async start(userId: number, origin: SessionOrigin): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    const now = nowInSeconds();
    await this.#sessions.insert({
      id_hash: hashOf(id),
      user_id: userId,
      created_time: now,
      seen_time: now,
      proved_time: now,
      address: origin.address,
      user_agent: origin.userAgent.slice(0, 300),
    });
    this.#onStarted(userId, origin);
    return id;
  }

  /** The user of a cookie, read from the database, and whether the session was just extended. */
  async find(id: string): Promise<{ user: SessionUser; prolonged: boolean } | undefined> {
    const now = nowInSeconds();
    const idHash = hashOf(id);
    const found = await this.#sessions.findUser(idHash, now - sessionLifetimeSeconds);
    if (!found) return undefined;
    const { seen_time, ...user } = found;
    const prolonged = seen_time < now - touchAfterSeconds;
    if (prolonged) await this.#sessions.touch(idHash, now).catch(ignoreStorageFault);
    return { user, prolonged };
  }

  /** True if the session belongs to the user, who signed in or proved their identity recently. */
  async isProved(userId: number, id: string | undefined): Promise<boolean> {
    if (id === undefined) return false;
    return this.#sessions.isProvedSince(hashOf(id), userId, nowInSeconds() - proofLifetimeSeconds);
  }

  /** False when the user has no such session. */
  prove(userId: number, id: string): Promise<boolean> {
    return this.#sessions.prove(hashOf(id), userId, nowInSeconds());
  }

  async end(id: string): Promise<void> {
    await this.#sessions.remove(hashOf(id));
  }

  /** Sessions of a user, latest first. */
  async list(userId: number, currentId: string | undefined) {
    const current = currentId === undefined ? undefined : hashOf(currentId);
    const rows = await this.#sessions.ofUser(userId, nowInSeconds() - sessionLifetimeSeconds);
    return rows.map(({ id_hash, address, user_agent, created_time, seen_time }) => ({
      id: id_hash.slice(0, sessionNameLength),
      address,
      user_agent,
      created_time,
      seen_time,
      isCurrent: id_hash === current,
    }));
  }

  /** False when the user has no such session. */
  endNamed(userId: number, name: string): Promise<boolean> {
    return this.#sessions.removeOfUser(userId, name);
  }

  /** Ends all sessions of a user except `keptId`. */
  async endOthers(transaction: Transaction, userId: number, keptId: string | undefined): Promise<void> {
    const kept = keptId === undefined ? undefined : hashOf(keptId);
    await this.#sessions.within(transaction).removeOthers(userId, kept);
  }

  /** True if the user has an active session from the same network as this address. */
  async hasSessionFrom(userId: number, address: string): Promise<boolean> {
    const network = clientNetwork(address);
    const rows = await this.#sessions.ofUser(userId, nowInSeconds() - sessionLifetimeSeconds);
    return rows.some((row) => clientNetwork(row.address) === network);
  }

  /** One address per session. */
  async addressesOf(userId: number): Promise<string[]> {
    const rows = await this.#sessions.ofUser(userId, nowInSeconds() - sessionLifetimeSeconds);
    return rows.map(({ address }) => address);
  }

  async removeExpired(): Promise<void> {
    await this.#sessions.removeUnseenSince(nowInSeconds() - sessionLifetimeSeconds);
  }
}
