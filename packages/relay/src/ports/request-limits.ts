import type { LimitStanding } from '@headgate/dialects';
import type { RelayError } from './relay-error.ts';

/** What a request will use, as far as that can be told before. */
export interface ExpectedUse {
  /** Of the prompt and of the answer. */
  readonly tokens: number;
  /** The least that must be paid for it. */
  points(): number;
}

/** What limits are about. */
export interface LimitedModel {
  readonly model: string;
  readonly group: string;
  /** Those that may be asked. */
  readonly channels: readonly { readonly id: number }[];
}

/** The limits that apply to one request, and its part in them. */
export interface RequestLimits {
  /** Counts the request in, or throws why it is not let in. A promise only where other nodes must be heard. */
  admit(expected: ExpectedUse): void | Promise<void>;
  /** Takes back what was counted in; the request is then counted in again, with its full size. */
  withdraw(): void;
  /** What the request may come to cost, in points; undefined where no limit says so. */
  readonly mostPoints: number | undefined;
  /** What clients are told of them, once it is let in. */
  readonly standing: LimitStanding | undefined;
  /** Whether some channel has limits of its own; else none is asked about or entered. */
  readonly isOfChannels: boolean;
  /** Whether a channel's own limits let the request in now. */
  hasRoom(channel: number): boolean;
  /** Counts the request in on a channel; false when there is no room after all. */
  enter(channel: number): boolean | Promise<boolean>;
  /** The try on the channel is over; only one that has answered has used its tokens. */
  leave(channel: number, hasAnswered: boolean): void;
  /** Why no channel has room. */
  noRoom(): RelayError | undefined;
  /** What it has used in the end. */
  used(tokens: number): void;
  /** However it ended. */
  end(): void;
}
