import { domainGraceDays, domainRecord, logType } from '@headgate/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { RepeatedWork } from '../../platform/runtime/repeated-work.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { MembershipService } from '../organizations/membership-service.ts';
import type { DomainRow, SsoDomainRepository } from './sso-domain-repository.ts';
import { hasRecord, type ResolveTxt } from './sso-domain-service.ts';

const day = 24 * 60 * 60;
const defaultMs = 60 * 60 * 1000;
const shutdownGraceMs = 5000;
/** Domains per round; small, so a slow DNS server does not delay other rounds. */
const maxPerRound = 100;

interface SsoDomainCheckerDependencies {
  readonly ssoDomains: SsoDomainRepository;
  readonly memberships: Pick<MembershipService, 'lock'>;
  readonly logs: LogService;
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
  readonly inTransaction: InTransaction;
  readonly resolveTxt: ResolveTxt;
  readonly everyMs: number | undefined;
}

/**
 * Checks the DNS record of every verified domain daily, because a domain may get another owner. Without its record, a
 * domain stays verified for the grace period. Only one node checks a domain.
 */
export class SsoDomainChecker {
  readonly #dependencies: SsoDomainCheckerDependencies;
  readonly #rounds: RepeatedWork;

  constructor(dependencies: SsoDomainCheckerDependencies) {
    this.#dependencies = dependencies;
    this.#rounds = new RepeatedWork({
      everyMs: dependencies.everyMs ?? defaultMs,
      run: () => this.checkDue(nowInSeconds()),
      onFailure: (error) => dependencies.logger.error({ err: error }, 'failed to check domains'),
      closeWithinMs: shutdownGraceMs,
    });
  }

  start(): void {
    this.#rounds.start();
  }

  close(): Promise<void> {
    return this.#rounds.close();
  }

  /** Checks domains whose last check is at least a day before `now` (Unix seconds). */
  async checkDue(now: number): Promise<void> {
    for (let left = maxPerRound; left > 0 && !this.#rounds.isClosed; left -= 1) {
      const domain = await this.#dependencies.ssoDomains.takeDue(now - day, now);
      if (!domain) return;
      await this.#check(domain, now);
    }
  }

  async #check({ id, organization_id, domain, token, missing_since }: DomainRow, now: number): Promise<void> {
    const { ssoDomains, memberships, logs, inTransaction } = this.#dependencies;
    const isPresent = await this.#isPresent(domain, token);
    if (isPresent === undefined) return;
    if (isPresent || missing_since === 0) {
      const since = isPresent ? 0 : now;
      if (since !== missing_since) await ssoDomains.setMissingSince(id, since);
      return;
    }
    if (now - missing_since < domainGraceDays * day) return;
    await inTransaction(async (transaction) => {
      const user = await memberships.lock(transaction, organization_id);
      await ssoDomains.within(transaction).endVerification(id);
      const event = 'organization.domain_lost';
      await logs.record(transaction, { type: logType.management, event, user, values: { domain } });
    });
  }

  /** Undefined while the DNS cannot be reached. */
  async #isPresent(domain: string, token: string): Promise<boolean | undefined> {
    try {
      const records = await this.#dependencies.resolveTxt(domainRecord.name(domain));
      return hasRecord(records, domainRecord.value(token));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      return code === 'ENODATA' || code === 'ENOTFOUND' ? false : undefined;
    }
  }
}
