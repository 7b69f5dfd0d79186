/** A running attempt that can be canceled. */
export interface PendingAttempt<Attempted> {
  readonly attempted: Promise<Attempted>;
  /** Cancels the attempt because another was faster. */
  cancel(): void;
}

interface Hedge<Attempted, Pending extends PendingAttempt<Attempted>> {
  readonly first: Pending;
  readonly afterMs: number;
  /** Starts an attempt on another channel; undefined if there is none or no more are allowed. */
  readonly second: () => Pending | undefined;
  readonly isSuccessful: (attempted: Attempted) => boolean;
}

interface Hedged<Attempted, Pending> {
  /** Result of the attempt that is delivered to the client, successful or not. */
  readonly last: Attempted;
  /** The other attempt, if it failed first. */
  readonly failed?: Attempted;
  /** The other attempt, if it was canceled. */
  readonly lost?: Pending;
}

/** Waits for one channel and, after a delay, for two: the first success is used, and the other attempt is canceled. */
export async function hedge<Attempted, Pending extends PendingAttempt<Attempted>>({
  first,
  afterMs,
  second,
  isSuccessful,
}: Hedge<Attempted, Pending>): Promise<Hedged<Attempted, Pending>> {
  const early = await within(first.attempted, afterMs);
  if (early !== undefined) return { last: early };
  const other = second();
  if (!other) return { last: await first.attempted };
  const both = [first, other] as const;
  const index = await Promise.race(both.map(({ attempted }, at) => attempted.then(() => at))).catch(
    (fault: unknown) => {
      // Neither result is needed after an internal error.
      for (const each of both) each.cancel();
      throw fault;
    },
  );
  const [quicker, slower] = index === 0 ? both : [other, first];
  const response = await quicker.attempted;
  if (!isSuccessful(response)) return { last: await slower.attempted, failed: response };
  slower.cancel();
  return { last: response, lost: slower };
}

/** Undefined on timeout. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
