import type { AlertLanguage, ReceiverKind } from '@headgate/contract';
import type { Circular } from '../../platform/mail/mail-transport.ts';
import { mailOf } from '../../platform/mail/mail-words.ts';
import { askForText, OutgoingFailure } from '../../platform/outgoing/ask-for-json.ts';
import { safeWords } from './receivers/receiver-settings.ts';
import type { AlertMessage, HttpWire, MailWire, ReceiverSettings } from './receivers/receiver-wire.ts';
import { receiverWires } from './receivers/receiver-wires.ts';

export interface OpenReceiver {
  readonly kind: ReceiverKind;
  readonly language: AlertLanguage;
  readonly settings: ReceiverSettings;
}

export interface Delivery {
  readonly isTaken: boolean;
  /** Response of the destination, or why it was not reached: without secrets, in one short line. */
  readonly words: string;
  readonly mayRetry: boolean;
  /** Seconds that the destination wants to wait. */
  readonly retryAfter: number;
}

export interface Mailing {
  readonly isSetUp: boolean;
  sendNow(mail: Circular): Promise<void>;
}

/** Sends a message once. Never throws. */
export async function deliverAlert(
  receiver: OpenReceiver,
  message: AlertMessage,
  mailing: Mailing,
  nowMs: number,
): Promise<Delivery> {
  const wire = receiverWires[receiver.kind];
  const delivery = await ('mailboxes' in wire
    ? byMail(wire, receiver, message, mailing)
    : byHttp(wire, receiver, message, nowMs)
  ).catch(failedDelivery);
  return { ...delivery, words: safeWords(delivery.words, receiver.kind, receiver.settings) };
}

async function byHttp(
  wire: HttpWire,
  { settings }: OpenReceiver,
  message: AlertMessage,
  nowMs: number,
): Promise<Delivery> {
  const { url, headers, body } = wire.write(message, settings, nowMs);
  const answer = await askForText(url, { method: 'POST', headers, body });
  return { ...wire.judge(answer), retryAfter: answer.retryAfter };
}

async function byMail(
  wire: MailWire,
  { language, settings }: OpenReceiver,
  { title, lines, link, gateway }: AlertMessage,
  mailing: Mailing,
): Promise<Delivery> {
  if (!mailing.isSetUp) throw new OutgoingFailure('unreachable', 'no mail server is set');
  const to = wire.mailboxes(settings);
  const notice = { subject: title, lines: link === '' ? lines : [...lines, link] };
  await mailing.sendNow(mailOf(notice, language === 'both' ? undefined : language, to, { name: gateway, link }));
  return { isTaken: true, words: 'accepted by the mail server', mayRetry: false, retryAfter: 0 };
}

/** A permanent SMTP error (5xx), which is not retried. */
const isFinal = (error: unknown): boolean => Number((error as { responseCode?: unknown }).responseCode) >= 500;

const failedDelivery = (error: unknown): Delivery => ({
  isTaken: false,
  words: error instanceof Error ? error.message : String(error),
  mayRetry: !isFinal(error),
  retryAfter: 0,
});
