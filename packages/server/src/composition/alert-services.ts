import { randomUUID } from 'node:crypto';
import { newAdminEvent } from '../observability/alerts/account-events.ts';
import { AlertBook } from '../observability/alerts/alert-book.ts';
import type { AlertEvent } from '../observability/alerts/alert-event.ts';
import { AlertFactsRepository } from '../observability/alerts/alert-facts-repository.ts';
import { AlertMinuteRepository } from '../observability/alerts/alert-minute-repository.ts';
import { AlertQueueRepository } from '../observability/alerts/alert-queue-repository.ts';
import { AlertReceiverRepository } from '../observability/alerts/alert-receiver-repository.ts';
import { AlertReceiverService } from '../observability/alerts/alert-receiver-service.ts';
import { AlertRuleRepository } from '../observability/alerts/alert-rule-repository.ts';
import { AlertRuleService } from '../observability/alerts/alert-rule-service.ts';
import { AlertSender } from '../observability/alerts/alert-sender.ts';
import { AlertService } from '../observability/alerts/alert-service.ts';
import { AlertWatch } from '../observability/alerts/alert-watch.ts';
import { writeAlert } from '../observability/alerts/alert-words.ts';
import { ChannelMinutes } from '../observability/alerts/channel-minutes.ts';
import { deliverAlert, type Mailing, type OpenReceiver } from '../observability/alerts/deliver-alert.ts';
import { KnownNetworkRepository } from '../observability/alerts/known-network-repository.ts';
import { NewPlaces } from '../observability/alerts/new-places.ts';
import type { AlertMessage } from '../observability/alerts/receivers/receiver-wire.ts';
import type { NotifierService } from '../observability/notices/notifier-service.ts';
import { sendMail } from '../platform/mail/mail-transport.ts';
import { nowInSeconds } from '../platform/runtime/clock.ts';
import type { AccountServices } from './account-services.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';
import type { SignInServices } from './sign-in-services.ts';

export type AlertServices = Awaited<ReturnType<typeof makeAlertServices>>;

/** What tells people that something happened, and whom. */
export async function makeAlertServices(
  app: AppContext,
  core: CoreServices,
  people: AccountServices,
  { mail, notifier, home }: SignInServices,
) {
  const { database, logger, lifecycle } = app;
  const { options, logs, box, inTransaction, feed } = core;
  const now = app.alertPace?.now ?? nowInSeconds;
  const [receiverRows, ruleRows] = [new AlertReceiverRepository(database), new AlertRuleRepository(database)];
  const queue = new AlertQueueRepository(database);
  const facts = new AlertFactsRepository(database);
  const book = new AlertBook(receiverRows, ruleRows);
  await book.load();
  feed.listen((change) => book.onChange(change));
  const gateway = () => ({ name: options.values.SystemName, url: home.url });
  const deliver = (receiver: OpenReceiver, message: AlertMessage) =>
    deliverAlert(receiver, message, mailing(mail, options), Date.now());
  const receivers = new AlertReceiverService({
    receivers: receiverRows,
    rules: ruleRows,
    queue,
    logs,
    box,
    inTransaction,
    sendTest: (receiver) => deliver(receiver, testMessage(receiver, gateway())),
  });
  const sender = new AlertSender({
    queue,
    receivers: receiverRows,
    open: (row) => receivers.open(row),
    deliver,
    isNeeded: () => book.hasReceivers,
    now,
    pollMs: app.alertPace?.pollMs,
    onFailure: (error) => logger.error({ err: error }, 'alerts could not be sent'),
  });
  lifecycle.add({ name: 'alert sender', start: () => sender.start(), stop: () => sender.close() });
  const alerts = new AlertService({
    book,
    queue,
    facts,
    inTransaction,
    onQueued: () => sender.wake(),
    onUnruled: (event) => tellOwner(notifier, event),
    gateway,
    now,
    onFailure: (error) => logger.error({ err: error }, 'alerts were not written down'),
  });
  lifecycle.add({ name: 'alerts', stop: () => alerts.catchUp() });
  const rules = new AlertRuleService({ rules: ruleRows, receivers: receiverRows, logs, inTransaction });
  const minutes = new ChannelMinutes();
  const sources = makeSources(app, core, people, { alerts, book, queue, facts, minutes, now });
  return { alerts, alerting: { receivers, rules, queue, sender, book, minutes, now, ...sources } };
}

interface Sources {
  readonly alerts: AlertService;
  readonly book: AlertBook;
  readonly queue: AlertQueueRepository;
  readonly facts: AlertFactsRepository;
  readonly minutes: ChannelMinutes;
  readonly now: () => number;
}

/** What finds out what is to be told, beside channels that are tested and requests that are served. */
function makeSources(
  { database, logger, lifecycle, alertPace }: AppContext,
  { inTransaction, ledger, feed }: CoreServices,
  people: AccountServices,
  { alerts, ...known }: Sources,
) {
  const raise = (event: AlertEvent) => alerts.raise(event);
  const onFailure = (error: unknown) => logger.error({ err: error }, 'alerts were not found out');
  const watch = new AlertWatch({
    ...known,
    rows: new AlertMinuteRepository(database),
    ledger,
    raise,
    node: feed.id,
    everyMs: alertPace?.watchMs,
    onFailure,
  });
  lifecycle.add({ name: 'alert watch', start: () => watch.start(), drain: () => watch.close() });
  const places = new NewPlaces({
    networks: new KnownNetworkRepository(database),
    inTransaction,
    addressesOf: (userId) => people.sessions.addressesOf(userId),
    raise,
    now: known.now,
    onFailure,
  });
  lifecycle.add({ name: 'sign-in networks', stop: () => places.catchUp() });
  people.sessions.listen((userId, origin) => places.signedIn(userId, origin));
  people.management.listen((admin, user) => raise(newAdminEvent(admin, user)));
  return { watch, places };
}

/** Mail with the settings of now. */
const mailing = (mail: SignInServices['mail'], { values }: CoreServices['options']): Mailing => ({
  isSetUp: mail.isSetUp,
  sendNow: (letter) => sendMail(values, letter),
});

function testMessage(
  { language }: OpenReceiver,
  { name, url }: { name: string; url: string | undefined },
): AlertMessage {
  const facts = { id: randomUUID(), kind: 'test', time: nowInSeconds(), gateway: name } as const;
  const link = url === undefined ? '' : `${url}/alerts`;
  return { ...facts, ...writeAlert('test', language, { name }), link, isUrgent: false, values: {} };
}

/** While no rule is about them, the owner hears of channels as the specification says; not of each of a hundred keys. */
function tellOwner(notifier: NotifierService, { kind, channel: id = 0, values }: AlertEvent): void {
  const isEnabled = kind === 'channel_enabled';
  if ((!isEnabled && kind !== 'channel_disabled') || 'key' in values) return;
  const [channel, reason] = [String(values['channel']), String(values['reason'] ?? '')];
  notifier.channelChanged({ id, channel, isEnabled, reason });
}
