import { isDeepStrictEqual } from 'node:util';
import { type Incident, type IncidentFields, maxIncidents, maxIncidentUpdates } from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { adminEvent, type LogService, type LogUser } from '../../records/logs/log-service.ts';
import type { IncidentRepository } from './incident-repository.ts';

interface IncidentServiceDependencies {
  readonly incidents: IncidentRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

type Event = 'incident.posted' | 'incident.changed' | 'incident.updated' | 'incident.closed' | 'incident.removed';

/** Incidents that admins post to the status page. */
export class IncidentService {
  readonly #dependencies: IncidentServiceDependencies;

  constructor(dependencies: IncidentServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(page: { readonly p: number; readonly size: number }) {
    const { incidents } = this.#dependencies;
    return { rows: await incidents.page(page), total: await incidents.count() };
  }

  /** Incidents that are open or ended after the given time, newest first. */
  since(time: number, max: number): Promise<Incident[]> {
    return this.#dependencies.incidents.since(time, max);
  }

  async get(id: number): Promise<Incident> {
    return (await this.#dependencies.incidents.find(id)) ?? notFound();
  }

  add(admin: LogUser, given: IncidentFields): Promise<Incident> {
    const { incidents, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const rows = incidents.within(transaction);
      const incident = await rows.insert(tidy(given), nowInSeconds());
      if ((await rows.count()) > maxIncidents) throw new ApiError('tooManyIncidents', { max: String(maxIncidents) });
      await this.#record(transaction, admin, incident, 'incident.posted');
      return incident;
    });
  }

  update(admin: LogUser, id: number, given: IncidentFields): Promise<Incident> {
    return this.#change(admin, id, (before) => {
      const incident = { ...before, ...tidy(given) };
      const isClosed = before.end_time === 0 && incident.end_time !== 0;
      return { incident, event: isClosed ? 'incident.closed' : 'incident.changed' };
    });
  }

  /** Adds a dated message, and closes the incident if `close` is set. */
  addUpdate(admin: LogUser, id: number, given: { readonly text: string; readonly close: boolean }): Promise<Incident> {
    const time = nowInSeconds();
    return this.#change(admin, id, (before) => {
      if (before.updates.length >= maxIncidentUpdates)
        throw new ApiError('tooManyIncidentUpdates', { max: String(maxIncidentUpdates) });
      // A canceled maintenance that has not begun ends at its start time.
      const end_time = given.close ? Math.max(time, before.start_time) : before.end_time;
      const incident = { ...before, end_time, updates: [...before.updates, { time, text: given.text }] };
      return { incident, event: given.close ? 'incident.closed' : 'incident.updated' };
    });
  }

  remove(admin: LogUser, id: number): Promise<void> {
    const { incidents, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const incident = (await incidents.within(transaction).find(id)) ?? notFound();
      await incidents.within(transaction).remove(id);
      await this.#record(transaction, admin, incident, 'incident.removed');
    });
  }

  #change(
    admin: LogUser,
    id: number,
    change: (before: Incident) => { readonly incident: Incident; readonly event: Event },
  ): Promise<Incident> {
    const { incidents, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const rows = incidents.within(transaction);
      // Concurrent updates of an incident must not overwrite each other.
      const before = (await rows.lock(id)) ?? notFound();
      const { incident, event } = change(before);
      // Repeating the request changes nothing.
      if (isDeepStrictEqual(incident, before)) return incident;
      await rows.update(incident);
      await this.#record(transaction, admin, incident, event);
      return incident;
    });
  }

  async #record(transaction: Transaction, admin: LogUser, { title }: Incident, event: Event): Promise<void> {
    transaction.changed('incidents');
    await this.#dependencies.logs.record(transaction, adminEvent(admin, event, { title }));
  }
}

const tidy = (given: IncidentFields): IncidentFields => ({ ...given, models: [...new Set(given.models)] });

function notFound(): never {
  throw new ApiError('notFound');
}
