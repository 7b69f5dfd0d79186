import type { AlertLanguage, DestinationKind } from '@headgate/contract';
import { mailFromNotice } from '../../platform/mail/mail-messages.ts';
import type { MailToGroup } from '../../platform/mail/mail-transport.ts';
import { OutgoingError, requestText } from '../../platform/outgoing/request-json.ts';
import { dingtalk, discord, lark, slack, telegram, wecom } from './destinations/chat-destinations.ts';
import type {
  AlertMessage,
  DestinationProtocol,
  DestinationSettings,
  HttpDestination,
  MailDestination,
} from './destinations/destination-protocol.ts';
import { redactDestinationSecrets } from './destinations/destination-settings.ts';
import { email, ntfy, pusher, webhook } from './destinations/push-destinations.ts';

/** Protocol of each kind of destination; no other code depends on the kind. */
const destinationProtocols: Readonly<Record<DestinationKind, DestinationProtocol>> = {
  email,
  webhook,
  lark,
  dingtalk,
  wecom,
  slack,
  discord,
  telegram,
  ntfy,
  pusher,
};

export interface Destination {
  readonly kind: DestinationKind;
  readonly language: AlertLanguage;
  readonly settings: DestinationSettings;
}

export interface Delivery {
  readonly isAccepted: boolean;
  /** The destination's response, or the reason why it was not reached, in one short line without secrets. */
  readonly detail: string;
  readonly mayRetry: boolean;
  /** Delay that the destination requests, in seconds. */
  readonly retryAfter: number;
}

export interface AlertMailer {
  readonly isSetUp: boolean;
  sendNow(mail: MailToGroup): Promise<void>;
}

/** Sends a message once. Never throws. */
export async function deliverAlert(
  receiver: Destination,
  message: AlertMessage,
  mailing: AlertMailer,
  nowMs: number,
): Promise<Delivery> {
  const wire = destinationProtocols[receiver.kind];
  const delivery = await ('mailboxes' in wire
    ? byMail(wire, receiver, message, mailing)
    : byHttp(wire, receiver, message, nowMs)
  ).catch(failedDelivery);
  return { ...delivery, detail: redactDestinationSecrets(delivery.detail, receiver.kind, receiver.settings) };
}

async function byHttp(
  wire: HttpDestination,
  { settings }: Destination,
  message: AlertMessage,
  nowMs: number,
): Promise<Delivery> {
  const { url, headers, body } = wire.write(message, settings, nowMs);
  const response = await requestText(url, { method: 'POST', headers, body });
  const { message: detail, ...result } = wire.parseResult(response);
  return { ...result, detail, retryAfter: response.retryAfter };
}

async function byMail(
  wire: MailDestination,
  { language, settings }: Destination,
  { title, lines, link, gateway }: AlertMessage,
  mailing: AlertMailer,
): Promise<Delivery> {
  if (!mailing.isSetUp) throw new OutgoingError('unreachable', 'no mail server is set');
  const to = wire.mailboxes(settings);
  const notice = { subject: title, lines: link === '' ? lines : [...lines, link] };
  await mailing.sendNow(
    mailFromNotice(notice, language === 'both' ? undefined : language, to, { name: gateway, link }),
  );
  return { isAccepted: true, detail: 'accepted by the mail server', mayRetry: false, retryAfter: 0 };
}

/** A permanent SMTP error (5xx), which is not retried. */
const isFinal = (error: unknown): boolean => Number((error as { responseCode?: unknown }).responseCode) >= 500;

export const failedDelivery = (error: unknown): Delivery => ({
  isAccepted: false,
  detail: error instanceof Error ? error.message : String(error),
  mayRetry: !isFinal(error),
  retryAfter: 0,
});
