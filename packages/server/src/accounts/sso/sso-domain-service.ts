import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { domainToASCII } from 'node:url';
import { domainRecord, maxSsoDomains, type SsoDomain } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { OrganizationRow } from '../organizations/membership-service.ts';
import type { OrganizationAccess } from '../organizations/organization-access.ts';
import type { DomainRow, SsoDomainRepository } from './sso-domain-repository.ts';

/** TXT records of a name; rejects if there are none. */
export type ResolveTxt = (name: string) => Promise<readonly (readonly string[])[]>;

const resolver = new Resolver({ timeout: 3000, tries: 2 });
export const resolveTxt: ResolveTxt = (name) => resolver.resolveTxt(name);

interface SsoDomainServiceDependencies {
  readonly access: OrganizationAccess;
  readonly ssoDomains: SsoDomainRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly resolveTxt: ResolveTxt;
}

interface Verified {
  readonly transaction: Transaction;
  readonly organization: OrganizationRow;
  readonly row: DomainRow;
}

/** Domains verified by organizations, with a DNS record or a gateway admin's confirmation. */
export class SsoDomainService {
  readonly #dependencies: SsoDomainServiceDependencies;

  constructor(dependencies: SsoDomainServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(actor: UserRow, id: number): Promise<SsoDomain[]> {
    await this.#dependencies.access.require(actor, id, 'manage_sign_in');
    return (await this.#dependencies.ssoDomains.of(id)).map(present);
  }

  add(actor: UserRow, id: number, text: string): Promise<SsoDomain> {
    const { access, ssoDomains, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'manage_sign_in');
      if (organization.sso_allowed !== 1) throw new ApiError('ssoNotAllowed');
      const domain = domainToASCII(text.toLowerCase());
      if (!/^(?=.{4,253}$)([a-z0-9-]{1,63}\.)+[a-z][a-z0-9-]{1,62}$/.test(domain))
        throw new ApiError('ssoDomainInvalid');
      const rows = ssoDomains.within(transaction);
      if ((await rows.of(id)).length >= maxSsoDomains)
        throw new ApiError('tooManySsoObjects', { limit: String(maxSsoDomains) });
      const token = randomBytes(16).toString('hex');
      const inserted = await rows.insert({ organization_id: id, domain, token, created_time: nowInSeconds() });
      if (inserted === undefined) throw new ApiError('ssoNameTaken');
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.domain_added', {
        user: actor.username,
        domain,
      });
      return present(found(await rows.find(id, inserted)));
    });
  }

  /** Looks up the TXT record. */
  async verify(actor: UserRow, id: number, domainId: number): Promise<SsoDomain> {
    await this.#dependencies.access.require(actor, id, 'manage_sign_in');
    const { domain, token } = found(await this.#dependencies.ssoDomains.find(id, domainId));
    const [name, value] = [domainRecord.name(domain), domainRecord.value(token)];
    const records = await this.#dependencies.resolveTxt(name).catch(() => []);
    if (!hasRecord(records, value)) throw new ApiError('ssoDomainUnproved', { name, value });
    return this.#markVerified(actor, id, domainId, 'dns');
  }

  /** For domains that a gateway admin has verified in another way. */
  confirm(actor: UserRow, id: number, domainId: number): Promise<SsoDomain> {
    return this.#markVerified(actor, id, domainId, 'admin');
  }

  remove(actor: UserRow, id: number, domainId: number): Promise<void> {
    return this.#change(actor, id, domainId, async ({ transaction, organization, row }) => {
      await this.#dependencies.ssoDomains.within(transaction).remove(row.id);
      const values = { user: actor.username, domain: row.domain };
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.domain_removed', values);
    });
  }

  #markVerified(actor: UserRow, id: number, domainId: number, method: 'dns' | 'admin'): Promise<SsoDomain> {
    return this.#change(actor, id, domainId, async ({ transaction, organization, row }) => {
      if (row.verified_time > 0) return present(row);
      const rows = this.#dependencies.ssoDomains.within(transaction);
      if (await rows.isVerified(row.domain)) throw new ApiError('ssoDomainTaken');
      await rows.markVerified(row.id, method, nowInSeconds());
      const values = { user: actor.username, domain: row.domain, method: method === 'dns' ? 'DNS' : 'confirmed' };
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.domain_verified', values);
      return present(found(await rows.find(id, domainId)));
    });
  }

  #change<Result>(
    actor: UserRow,
    id: number,
    domainId: number,
    work: (verified: Verified) => Promise<Result>,
  ): Promise<Result> {
    const { access, ssoDomains, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'manage_sign_in');
      const row = found(await ssoDomains.within(transaction).find(id, domainId));
      return work({ transaction, organization, row });
    });
  }
}

/** True if a TXT record, which may consist of several parts, has this value. */
export const hasRecord = (records: readonly (readonly string[])[], value: string): boolean =>
  records.some((parts) => parts.join('').trim() === value);

const present = ({ id, domain, verified_time, missing_since, token, created_time }: DomainRow): SsoDomain => ({
  id,
  domain,
  verified_time,
  missing_since: verified_time > 0 ? missing_since : 0,
  record_name: domainRecord.name(domain),
  record_value: domainRecord.value(token),
  created_time,
});

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('notFound');
  return row;
}
