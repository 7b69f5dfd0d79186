import type { ClientGone } from './client-gone.ts';

/** The client's side of a relayed request. */
export interface ClientSink {
  /** Happens when the client leaves before its reply has ended, or is sent away because the server ends. */
  readonly gone: ClientGone;
  /** Fields of its request that the channel does without; named in the head. */
  ignored: readonly string[];
  /** Headers of the head that tell what is left of its limits; undefined where it has none. */
  limits: Readonly<Record<string, string>> | undefined;
  /** The model that serves, where that need not be the one that was asked for; named in the head. */
  servedModel: string | undefined;
  /** Whether the head of a reply was made: from then on no other reply can be. */
  readonly isStarted: boolean;
  /** When the head was made, by the clock of `Ports`; undefined before. */
  readonly startedAt: number | undefined;
  /** The head leaves with the first bytes, not before. */
  start(status: number, headers: Readonly<Record<string, string>>): void;
  /** False: the client reads slowly, wait for `drained`. */
  write(bytes: Buffer): boolean;
  onDrained(resume: () => void): void;
  end(bytes?: Buffer): void;
  /** Passing an answer on failed by a fault of our own. */
  onFault(error: unknown): void;
  /** Ends a reply of bytes that is not whole, so that nobody takes it for one. */
  breakOff(): void;
}
