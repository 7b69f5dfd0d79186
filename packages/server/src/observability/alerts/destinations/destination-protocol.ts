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

export type DestinationSettings = Readonly<Record<string, string>>;

interface OutgoingAlert {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface DestinationResponse {
  readonly status: number;
  readonly text: string;
}

export interface DeliveryResult {
  readonly isAccepted: boolean;
  /** Response text of the destination. */
  readonly message: string;
  /** True if a retry may succeed. */
  readonly mayRetry: boolean;
}

/** Protocol of a kind of destination. Pure: the time is passed in. */
export interface HttpDestination {
  write(message: AlertMessage, settings: DestinationSettings, nowMs: number): OutgoingAlert;
  parseResult(response: DestinationResponse): DeliveryResult;
}

/** Destinations reached by email. */
export interface MailDestination {
  mailboxes(settings: DestinationSettings): readonly string[];
}

export type DestinationProtocol = HttpDestination | MailDestination;
