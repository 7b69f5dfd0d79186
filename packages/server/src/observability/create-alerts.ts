import { randomUUID } from 'node:crypto';
import type { Accounts } from '../accounts/create-accounts-module.ts';
import type { Platform } from '../platform/create-platform.ts';
import { sendMail } from '../platform/mail/mail-transport.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { Records } from '../records/create-records.ts';
import { memberAddedEvent, newAdminEvent } from './alerts/account-events.ts';
import { AlertCache } from './alerts/alert-cache.ts';
import { AlertChannelRepository } from './alerts/alert-channel-repository.ts';
import { AlertDestinationRepository } from './alerts/alert-destination-repository.ts';
import { AlertDestinationService } from './alerts/alert-destination-service.ts';
import { AlertEvaluator } from './alerts/alert-evaluator.ts';
import type { AlertEvent } from './alerts/alert-event.ts';
import { composeAlert } from './alerts/alert-messages.ts';
import { AlertMinuteRepository } from './alerts/alert-minute-repository.ts';
import { AlertQueueRepository } from './alerts/alert-queue-repository.ts';
import { AlertRuleRepository } from './alerts/alert-rule-repository.ts';
import { AlertRuleService } from './alerts/alert-rule-service.ts';
import { AlertSender } from './alerts/alert-sender.ts';
import { AlertService } from './alerts/alert-service.ts';
import type { AlertTiming } from './alerts/alert-timing.ts';
import { ChannelMinuteStats } from './alerts/channel-minutes.ts';
import { type AlertMailer, type Destination, deliverAlert } from './alerts/deliver-alert.ts';
import type { AlertMessage } from './alerts/destinations/destination-protocol.ts';
import { KnownNetworkRepository } from './alerts/known-network-repository.ts';
import { SignInNetworks } from './alerts/sign-in-networks.ts';
import { NotifierService } from './notifications/notifier-service.ts';

interface AlertDependencies {
  readonly platform: Platform;
  readonly records: Records;
  readonly accounts: Pick<Accounts, 'users' | 'sessions' | 'management' | 'memberships'>;
  readonly alertPace?: AlertTiming | undefined;
}

export type Alerts = Awaited<ReturnType<typeof createAlerts>>;

/** Alert rules, destinations, and the events they match. */
export async function createAlerts(dependencies: AlertDependencies) {
  const { platform, records, accounts, alertPace } = dependencies;
  const { database, options, mail, homeAddress, box, inTransaction, managed, feed, logger, lifecycle } = platform;
  const { logs } = records;
  const now = alertPace?.now ?? nowInSeconds;
  const [receiverRows, ruleRows] = [new AlertDestinationRepository(database), new AlertRuleRepository(database)];
  const queue = new AlertQueueRepository(database);
  const facts = new AlertChannelRepository(database);
  const book = new AlertCache(receiverRows, ruleRows);
  await book.load();
  feed.listen((change) => book.onChange(change));
  const notifier = new NotifierService({
    options,
    mail,
    users: accounts.users,
    onFailure: (error) => logger.error({ err: error }, 'failed to send a notification'),
  });
  const gateway = () => ({ name: options.values.SystemName, url: homeAddress.url });
  const deliver = (receiver: Destination, message: AlertMessage) =>
    deliverAlert(receiver, message, mailing(mail, options), Date.now());
  const receivers = new AlertDestinationService({
    receivers: receiverRows,
    rules: ruleRows,
    queue,
    logs,
    box,
    inTransaction,
    managed,
    sendTest: (receiver) => deliver(receiver, testMessage(receiver, gateway())),
  });
  const sender = new AlertSender({
    queue,
    receivers: receiverRows,
    open: (row) => receivers.open(row),
    deliver,
    isNeeded: () => book.hasDestinations,
    now,
    pollMs: alertPace?.pollMs,
    onFailure: (error) => logger.error({ err: error }, 'failed to send alerts'),
  });
  lifecycle.add({ name: 'alert sender', start: () => sender.start(), stop: () => sender.close() });
  const alerts = new AlertService({
    book,
    queue,
    facts,
    inTransaction,
    onQueued: () => sender.wake(),
    onUnruled: (event) => notifyOwner(notifier, event),
    gateway,
    now,
    onFailure: (error) => logger.error({ err: error }, 'failed to queue alerts'),
  });
  lifecycle.add({ name: 'alerts', stop: () => alerts.flush() });
  const rules = new AlertRuleService({ rules: ruleRows, receivers: receiverRows, logs, inTransaction, managed });
  const minutes = new ChannelMinuteStats();
  const sources = createSources(dependencies, { alerts, book, queue, facts, minutes, now });
  return { alerts, alerting: { receivers, rules, queue, sender, book, minutes, now, ...sources } };
}

interface Sources {
  readonly alerts: AlertService;
  readonly book: AlertCache;
  readonly queue: AlertQueueRepository;
  readonly facts: AlertChannelRepository;
  readonly minutes: ChannelMinuteStats;
  readonly now: () => number;
}

/** Event sources other than channel tests and requests. */
function createSources(
  { platform, records: { ledger }, accounts, alertPace }: AlertDependencies,
  { alerts, ...known }: Sources,
) {
  const { database, inTransaction, feed, logger, lifecycle } = platform;
  const raise = (event: AlertEvent) => alerts.raise(event);
  const onFailure = (error: unknown) => logger.error({ err: error }, 'failed to check for alerts');
  const watch = new AlertEvaluator({
    ...known,
    rows: new AlertMinuteRepository(database),
    ledger,
    raise,
    node: feed.id,
    everyMs: alertPace?.watchMs,
    onFailure,
  });
  lifecycle.add({ name: 'alert watch', start: () => watch.start(), drain: () => watch.close() });
  const networks = new SignInNetworks({
    networks: new KnownNetworkRepository(database),
    inTransaction,
    addressesOf: (userId) => accounts.sessions.addressesOf(userId),
    raise,
    now: known.now,
    onFailure,
  });
  lifecycle.add({ name: 'sign-in networks', stop: () => networks.catchUp() });
  accounts.sessions.listen((userId, origin) => networks.signedIn(userId, origin));
  accounts.management.listen((admin, user) => raise(newAdminEvent(admin, user)));
  accounts.memberships.listen((added) => raise(memberAddedEvent(added)));
  return { watch, networks };
}

/** Sends email with the current settings. */
const mailing = (mail: Platform['mail'], { values }: Platform['options']): AlertMailer => ({
  isSetUp: mail.isSetUp,
  sendNow: (letter) => sendMail(values, letter),
});

function testMessage(
  { language }: Destination,
  { name, url }: { name: string; url: string | undefined },
): AlertMessage {
  const facts = { id: randomUUID(), kind: 'test', time: nowInSeconds(), gateway: name } as const;
  const link = url === undefined ? '' : `${url}/alerts`;
  return { ...facts, ...composeAlert('test', language, { name }), link, isUrgent: false, values: {} };
}

/** Without a rule for channel changes, root is notified of each one, as specified, but not of key changes. */
function notifyOwner(notifier: NotifierService, { kind, channel: id = 0, values }: AlertEvent): void {
  const isEnabled = kind === 'channel_enabled';
  if ((!isEnabled && kind !== 'channel_disabled') || 'key' in values) return;
  const [channel, reason] = [String(values['channel']), String(values['reason'] ?? '')];
  notifier.channelChanged({ id, channel, isEnabled, reason });
}
