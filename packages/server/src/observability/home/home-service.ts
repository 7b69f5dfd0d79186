import {
  type AdminDashboard,
  channelStatus,
  type DashboardStats,
  defaultRoot,
  isRoot,
  type Ledger,
  type SetupSteps,
  type UsageTotals,
  type UserDashboard,
} from '@headgate/contract';
import { verifyPassword } from '../../accounts/users/password.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { endOfHour, hourOf, secondsPerDay } from '../../records/logs/hours.ts';
import { percentile } from '../../records/logs/latency-buckets.ts';
import { emptyTotals, sumTotals } from '../../records/usage/usage-sums.ts';
import type { HomeChannel, HomeRepository } from './home-repository.ts';

/** Reads hourly totals. */
interface HourlyTotals {
  logged(): Promise<{ readonly first: number } | undefined>;
  total(from: number, to: number): Promise<readonly UsageTotals[]>;
}

interface LedgerCheck {
  checkBalances(): Promise<Pick<Ledger, 'drift' | 'set_aside'>>;
}

interface HomeServiceDependencies {
  readonly home: HomeRepository;
  readonly sums: HourlyTotals;
  readonly ledger: LedgerCheck;
  /** Remaining cooldown of a channel, in milliseconds. */
  readonly cooldownOf: (channel: number) => number;
}

const maxDays = 62;
const maxFailingChannels = 5;
/** Maximum number of remembered root password hashes. */
const maxCachedHashes = 100;

/** Home page of operators and of users. */
export class HomeService {
  readonly #dependencies: HomeServiceDependencies;
  /** True if a hash is that of the default password; cached because the check is slow. */
  readonly #known = new Map<string, boolean>();

  constructor(dependencies: HomeServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async read(caller: UserRow, start: number): Promise<AdminDashboard> {
    const { sums, ledger } = this.#dependencies;
    const now = nowInSeconds();
    const [from, to] = [hourOf(start || now - (maxDays - 1) * secondsPerDay), endOfHour(now)];
    if (to < from) throw new ApiError('usageTimeBackwards');
    if (to - from > maxDays * secondsPerDay) throw new ApiError('usageTooFine');
    const length = to + 1 - from;
    const figuresBefore = async () => {
      const logged = await sums.logged();
      return logged && logged.first <= from - length ? this.#figures(from - length, from - 1) : null;
    };
    // In parallel, so that with several connections the total time is that of the slowest query.
    const [figures, before, channels, { drift, set_aside }, steps] = await Promise.all([
      this.#figures(from, to),
      figuresBefore(),
      this.#channels(),
      ledger.checkBalances(),
      this.#steps(caller),
    ]);
    return { from, to, now: figures, before, channels, ledger: { drift, set_aside }, steps };
  }

  async readOwn(caller: UserRow): Promise<UserDashboard> {
    const { home } = this.#dependencies;
    const steps = await this.#steps(caller);
    return {
      tokens: await home.endingTokens(caller.id),
      steps: { ...steps, request: caller.request_count > 0 },
    };
  }

  async #figures(from: number, to: number): Promise<DashboardStats> {
    const { sums, home } = this.#dependencies;
    const [rows, { elapsed, firstByte }] = await Promise.all([sums.total(from, to), home.latencies(from, to)]);
    const { requests, failures, quota, cost } = rows.length > 0 ? sumTotals(rows) : emptyTotals;
    return {
      requests,
      failures,
      quota,
      cost,
      elapsed_p50: percentile(elapsed, 0.5) ?? 0,
      elapsed_p95: percentile(elapsed, 0.95) ?? 0,
      first_byte_p50: percentile(firstByte, 0.5) ?? 0,
    };
  }

  async #channels(): Promise<AdminDashboard['channels']> {
    const { home, cooldownOf } = this.#dependencies;
    const channels = await home.channels();
    const coolingDown = channels.filter(({ id }) => cooldownOf(id) > 0);
    const failing = channels.filter(({ is_failing }) => is_failing === 1);
    const troubled = [...new Set([...failing, ...coolingDown])].map((channel) =>
      lastFailureOf(channel, cooldownOf(channel.id)),
    );
    return {
      total: channels.length,
      failing: failing.length,
      cooling_down: coolingDown.length,
      disabled_by_monitor: channels.filter(({ status }) => status === channelStatus.disabledByMonitor).length,
      troubled: troubled.sort((one, other) => other.time - one.time).slice(0, maxFailingChannels),
    };
  }

  async #steps(caller: UserRow): Promise<SetupSteps> {
    const steps = await this.#dependencies.home.steps(caller.id);
    // Only root is created with the default password, and the check takes as long as a login.
    return { ...steps, password: !isRoot(caller) || !(await this.#isKnownToAll(caller.password_hash)) };
  }

  async #isKnownToAll(hash: string | null): Promise<boolean> {
    if (hash === null) return false;
    const known = this.#known.get(hash) ?? (await verifyPassword(defaultRoot.password, hash));
    if (this.#known.size >= maxCachedHashes) this.#known.clear();
    this.#known.set(hash, known);
    return known;
  }
}

/** The latest failed test or failed request. */
function lastFailureOf(channel: HomeChannel, cooldownMs: number): AdminDashboard['channels']['troubled'][number] {
  const { id, name } = channel;
  const isTest = channel.test_reason !== '' && channel.test_time > channel.failure_time;
  const cooldown_seconds = Math.ceil(cooldownMs / 1000);
  return isTest
    ? {
        id,
        name,
        cooldown_seconds,
        reason: channel.test_reason,
        message: channel.test_message,
        status: channel.test_status,
        time: channel.test_time,
      }
    : {
        id,
        name,
        cooldown_seconds,
        reason: channel.failure_reason,
        message: channel.failure_message,
        status: channel.failure_status,
        time: channel.failure_time,
      };
}
