import { randomUUID } from 'node:crypto';
import { AlertBook } from '../alerts/alert-book.ts';
import type { AlertEvent } from '../alerts/alert-event.ts';
import { AlertFactsRepository } from '../alerts/alert-facts-repository.ts';
import { AlertQueueRepository } from '../alerts/alert-queue-repository.ts';
import { AlertReceiverRepository } from '../alerts/alert-receiver-repository.ts';
import { AlertReceiverService } from '../alerts/alert-receiver-service.ts';
import { AlertRuleRepository } from '../alerts/alert-rule-repository.ts';
import { AlertRuleService } from '../alerts/alert-rule-service.ts';
import { AlertSender } from '../alerts/alert-sender.ts';
import { AlertService } from '../alerts/alert-service.ts';
import { writeAlert } from '../alerts/alert-words.ts';
import { deliverAlert, type OpenReceiver } from '../alerts/deliver-alert.ts';
import type { AlertMessage } from '../alerts/receivers/receiver-wire.ts';
import { nowInSeconds } from '../clock.ts';
import { type Circular, sendMail } from '../mail/mail-transport.ts';
import type { NotifierService } from '../notices/notifier-service.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';
import type { SignInServices } from './sign-in-services.ts';

/** What tells people that something happened, and whom. */
export async function makeAlertServices(
  app: AppDependencies,
  core: CoreServices,
  { mail, notifier, home }: SignInServices,
) {
  const { database, logger } = app;
  const { options, logs, box, inTransaction, feed } = core;
  const now = app.alertPace?.now ?? nowInSeconds;
  const [receiverRows, ruleRows] = [new AlertReceiverRepository(database), new AlertRuleRepository(database)];
  const queue = new AlertQueueRepository(database);
  const facts = new AlertFactsRepository(database);
  const book = new AlertBook(receiverRows, ruleRows);
  await book.load();
  feed.listen((change) => book.onChange(change));
  const mailing = {
    get isSetUp() {
      return mail.isSetUp;
    },
    sendNow: (letter: Circular) => sendMail(options.values, letter),
  };
  const gateway = () => ({ name: options.values.SystemName, url: home.url });
  const deliver = (receiver: OpenReceiver, message: AlertMessage) =>
    deliverAlert(receiver, message, mailing, Date.now());
  const testMessage = (receiver: OpenReceiver): AlertMessage => {
    const { name, url } = gateway();
    const written = writeAlert('test', receiver.language, { name });
    const link = url === undefined ? '' : `${url}/alerts`;
    return {
      ...written,
      id: randomUUID(),
      kind: 'test',
      time: nowInSeconds(),
      gateway: name,
      link,
      isUrgent: false,
      values: {},
    };
  };
  const receivers = new AlertReceiverService({
    receivers: receiverRows,
    rules: ruleRows,
    queue,
    logs,
    box,
    inTransaction,
    sendTest: (receiver) => deliver(receiver, testMessage(receiver)),
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
  const rules = new AlertRuleService({ rules: ruleRows, receivers: receiverRows, logs, inTransaction });
  return { alerts, alerting: { receivers, rules, queue, sender, book, facts, now } };
}

/** While no rule is about them, the owner hears of channels as the specification says. */
function tellOwner(notifier: NotifierService, { kind, channel: id = 0, values }: AlertEvent): void {
  const isEnabled = kind === 'channel_enabled';
  if (!isEnabled && kind !== 'channel_disabled') return;
  const [channel, reason] = [String(values['channel']), String(values['reason'] ?? '')];
  notifier.channelChanged({ id, channel, isEnabled, reason });
}
