import { type Timeouts, UpstreamServices } from '@headgate/relay';
import type { FastifyBaseLogger } from 'fastify';
import type { ChannelService } from './channels/channel-service.ts';
import { ChannelTestService } from './channels/channel-test-service.ts';
import { ChannelUpstreamService } from './channels/channel-upstream-service.ts';
import type { LogService } from './logs/log-service.ts';
import type { MailService } from './mail/mail-service.ts';
import { RelayMetrics } from './metrics/relay-metrics.ts';
import type { NotifierService } from './notices/notifier-service.ts';
import type { HomeAddress } from './options/home-address.ts';
import type { OptionService } from './options/option-service.ts';
import { CallerBook } from './relay/callers/caller-book.ts';
import type { CallerRepository } from './relay/callers/caller-repository.ts';
import { channelProbe } from './relay/channels/channel-probe.ts';
import { ChannelTable } from './relay/channels/channel-table.ts';
import { channelUpstream } from './relay/channels/channel-upstream.ts';
import type { ChargeJournalRepository } from './relay/charges/charge-journal-repository.ts';
import { ChargeStore } from './relay/charges/charge-store.ts';
import { QuotaReminder } from './relay/charges/quota-reminder.ts';
import type { SettlementRepository } from './relay/charges/settlement-repository.ts';
import { SettlementWriter } from './relay/charges/settlement-writer.ts';
import { RunningCalls } from './relay/clients/running-calls.ts';
import { LeaseExchange } from './relay/leases/lease-exchange.ts';
import type { LeaseService } from './relay/leases/lease-service.ts';
import { RelayService } from './relay/relay-service.ts';
import type { InTransaction } from './transaction.ts';
import type { UserService } from './users/user-service.ts';

interface RelayingDependencies {
  readonly logger: FastifyBaseLogger;
  readonly channels: ChannelService;
  readonly options: OptionService;
  readonly users: UserService;
  readonly logs: LogService;
  readonly mail: MailService;
  readonly home: HomeAddress;
  readonly notifier: NotifierService;
  readonly inTransaction: InTransaction;
  readonly settlements: SettlementRepository;
  /** Undefined where other nodes look at the same tables. */
  readonly journal: ChargeJournalRepository | undefined;
  readonly callerRows: CallerRepository;
  /** Undefined where one process has all quota to itself. */
  readonly leases: LeaseService | undefined;
  readonly timeouts: Timeouts;
  readonly countingPatienceMs: number | undefined;
  readonly isOpenAddress: ((address: string) => boolean) | undefined;
}

/** Charges of an unreadable entry that one line of the log names. */
const mostTold = 20;

/** The part of the composition that is about requests: from the token to the upstream, and what they cost. */
export async function makeRelaying(dependencies: RelayingDependencies) {
  const { logger, channels, options, users, logs, mail, home, inTransaction, settlements, callerRows } = dependencies;
  const { leases, journal } = dependencies;
  const reminder = new QuotaReminder({
    options,
    users,
    logs,
    mail,
    home,
    onFailure: (error) => logger.warn({ err: error }, 'a user was not reminded of the quota'),
  });
  const store = new ChargeStore({
    settlements,
    logs,
    journal,
    inTransaction,
    onFailure: (error) => logger.error({ err: error }, 'charges could not be stored; trying again'),
    onUnreadable: ({ entry: { id, version }, reason, holds }) =>
      logger.error(
        { entry: id, version, reason, holds: holds.slice(0, mostTold), more: Math.max(0, holds.length - mostTold) },
        'an entry of the journal cannot be read: it is kept in set_aside_charges, and not charged',
      ),
  });
  await store.recover();
  const running = new RunningCalls();
  const writer = new SettlementWriter({
    store,
    running: () => running.count,
    onSpent: (balance) => reminder.spent(balance),
  });
  const channelTable = new ChannelTable(channels);
  await channelTable.load();
  const callers = new CallerBook(callerRows, writer, leases && ((owner, _, left) => leases.take(owner, left)));
  const exchange = leases && new LeaseExchange({ leases, callers, writer });
  const metrics = new RelayMetrics((model) => channelTable.serves(model));
  const upstreamServices = new UpstreamServices(dependencies.timeouts, dependencies);
  const channelTests = new ChannelTestService({
    channels,
    options,
    probe: channelProbe(upstreamServices),
    onVerdict: (change) => dependencies.notifier.channelChanged(change),
    onFailure: (error) => logger.error({ err: error }, 'the channel test broke off'),
  });
  const relay = new RelayService({
    options,
    callers,
    writer,
    metrics,
    exchange,
    channels: channelTable,
    onUselessKey: (channel, reason) => channelTests.condemn(channel, reason),
  });
  const channelUpstreams = new ChannelUpstreamService(channels, channelUpstream(upstreamServices));
  return { relay, upstreamServices, running, writer, metrics, channelTests, channelUpstreams };
}
