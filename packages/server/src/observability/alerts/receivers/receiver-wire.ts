import type { AlertKind } from '@headgate/contract';

/** What a receiver is told, in its language. */
export interface AlertMessage {
  /** The same at every try: a receiver that knows it has been told already. */
  readonly id: string;
  readonly kind: AlertKind | 'test';
  /** When it happened, in seconds. */
  readonly time: number;
  /** What the gateway calls itself. */
  readonly gateway: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** A page of the console; empty where nobody knows its address. */
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
  /** What the receiver said, as it says it. */
  readonly words: string;
  /** Whether another try may do better. */
  readonly mayRetry: boolean;
}

/** How a kind of receiver is spoken to. Pure: what time it is is told. */
export interface HttpWire {
  write(message: AlertMessage, settings: ReceiverSettings, nowMs: number): OutgoingAlert;
  judge(answer: ReceiverAnswer): Judgement;
}

/** One that is written to by mail. */
export interface MailWire {
  mailboxes(settings: ReceiverSettings): readonly string[];
}

export type ReceiverWire = HttpWire | MailWire;
