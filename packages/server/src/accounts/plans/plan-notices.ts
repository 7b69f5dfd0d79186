import type { FastifyBaseLogger } from 'fastify';
import type { MailService } from '../../platform/mail/mail-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { RepeatedWork } from '../../platform/runtime/repeated-work.ts';
import { secondsPerDay } from '../../records/logs/hours.ts';
import type { UserService } from '../users/user-service.ts';
import type { UserPlanRepository, UserPlanRow } from './user-plan-repository.ts';

/** A plan of a user that ends soon. */
export interface EndingPlan {
  readonly id: number;
  readonly plan: string;
  readonly userId: number;
  readonly username: string;
  readonly ends: string;
}

interface PlanNoticesDependencies {
  readonly userPlans: UserPlanRepository;
  readonly users: UserService;
  readonly mail: MailService;
  readonly homeAddress: PublicUrl;
  readonly onEnding: (plan: EndingPlan) => void;
  readonly now: () => number;
  readonly everyMs?: number | undefined;
  readonly logger: FastifyBaseLogger;
}

const defaultMs = 600_000;
const noticeDays = 3;
/** Shorter plans end without a notice. */
const shortestDays = 7;

/** Notifies users and alert rules once, three days before a plan ends. */
export class PlanNotices {
  readonly #dependencies: PlanNoticesDependencies;
  readonly #rounds: RepeatedWork;

  constructor(dependencies: PlanNoticesDependencies) {
    this.#dependencies = dependencies;
    this.#rounds = new RepeatedWork({
      everyMs: dependencies.everyMs ?? defaultMs,
      run: () => this.check(),
      onFailure: (error) => dependencies.logger.warn({ err: error }, 'failed to check ending plans'),
    });
  }

  start(): void {
    this.#rounds.start();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  /** The plans are marked first, so only one node notifies. */
  async check(): Promise<void> {
    const { userPlans, now } = this.#dependencies;
    const [from, minSeconds] = [now(), shortestDays * secondsPerDay];
    const ending = await userPlans.markEnding({ from, until: from + noticeDays * secondsPerDay, minSeconds });
    for (const row of ending) await this.#notify(row);
  }

  async #notify({ id, name, user_id, ends_time }: UserPlanRow): Promise<void> {
    const { users, mail, homeAddress, onEnding } = this.#dependencies;
    const user = await users.find(user_id);
    if (!user) return;
    const ends = `${new Date(ends_time * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    onEnding({ id, plan: name, userId: user.id, username: user.username, ends });
    if (!user.email || !mail.isSetUp) return;
    const link = homeAddress.url === undefined ? '' : `${homeAddress.url}/topup`;
    mail.send('planEnding', user.email, undefined, { plan: name, ends, link });
  }
}
