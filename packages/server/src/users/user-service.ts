import type { profileUpdate } from '@headgate/contract';
import type { z } from 'zod';
import { Refusal } from '../refusal.ts';
import type { SessionService } from '../sessions/session-service.ts';
import { hashPassword } from './password.ts';
import type { UserRepository, UserRow } from './user-repository.ts';

export type { UserRow };

export class UserService {
  readonly #users: UserRepository;
  readonly #sessions: SessionService;

  constructor(users: UserRepository, sessions: SessionService) {
    this.#users = users;
    this.#sessions = sessions;
  }

  findByLogin(usernameOrEmail: string): Promise<UserRow | undefined> {
    return this.#users.findByLogin(usernameOrEmail);
  }

  /** A new password ends every other session of the user. */
  async updateProfile(user: UserRow, change: z.output<typeof profileUpdate>, currentSession: string | undefined) {
    const { password, username, display_name } = change;
    // The table itself says whether the name is taken: asking first would let two through at once.
    const done = await this.#users.updateUnlessTaken(user.id, {
      ...(username !== undefined && { username }),
      ...(display_name !== undefined && { display_name }),
      ...(password !== undefined && { password_hash: await hashPassword(password) }),
    });
    if (!done) throw new Refusal('usernameTaken');
    if (password !== undefined) await this.#sessions.endOthers(user.id, currentSession);
  }

  async exists(username: string): Promise<boolean> {
    return (await this.#users.findByUsername(username)) !== undefined;
  }

  /** Asks for no old password and ends every session of the user: for the person who owns the machine. */
  async resetPassword(username: string, password: string): Promise<void> {
    const user = await this.#users.findByUsername(username);
    if (!user) return;
    await this.#users.updateUnlessTaken(user.id, { password_hash: await hashPassword(password) });
    await this.#sessions.endOthers(user.id, undefined);
  }
}
