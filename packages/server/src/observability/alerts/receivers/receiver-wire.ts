import type { AlertKind } from '@headgate/contract';

/** An alert message in the destination's language. */
export interface AlertMessage {
  /** The same for every attempt, so that a destination can detect duplicates. */
  readonly id: string;
  readonly kind: AlertKind | 'test';
  /** Time of the event, in seconds. */
  readonly time: number;
  /** Name of the gateway. */
  readonly gateway: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** A console page; empty when the console's address is unknown. */
  readonly link: string;
  readonly isUrgent: boolean;
  readonly values: Readonly<Record<string, string | number>>;
}

export type ReceiverSettings = Readonly<Record<string, string>>;

interface OutgoingAlert {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ReceiverAnswer {
  readonly status: number;
  readonly text: string;
}

export interface Judgement {
  readonly isTaken: boolean;
  /** Response text of the destination. */
  readonly words: string;
  /** True if a retry may succeed. */
  readonly mayRetry: boolean;
}

/** Protocol of a kind of destination. Pure: the time is passed in. */
export interface HttpWire {
  write(message: AlertMessage, settings: ReceiverSettings, nowMs: number): OutgoingAlert;
  judge(answer: ReceiverAnswer): Judgement;
}

/** Destinations reached by email. */
export interface MailWire {
  mailboxes(settings: ReceiverSettings): readonly string[];
}

export type ReceiverWire = HttpWire | MailWire;
