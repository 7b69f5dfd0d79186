/** A running attempt that can be canceled. */
export interface PendingAttempt<Asked> {
  readonly requested: Promise<Asked>;
  /** Cancels the attempt because another was faster. */
  abandon(): void;
}

interface Hedge<Asked, Pending extends PendingAttempt<Asked>> {
  readonly first: Pending;
  readonly afterMs: number;
  /** Starts an attempt on another channel; undefined when there is none or no more are allowed. */
  readonly second: () => Pending | undefined;
  readonly isSuccessful: (requested: Asked) => boolean;
}

interface Hedged<Asked, Pending> {
  /** Result for the client, successful or not. */
  readonly last: Asked;
  /** The other attempt, if it failed earlier. */
  readonly failed?: Asked;
  /** The other attempt, if it was canceled. */
  readonly lost?: Pending;
}

/** Waits for one channel, and after a delay for two: the first success is used, the other is canceled. */
export async function hedge<Asked, Pending extends PendingAttempt<Asked>>({
  first,
  afterMs,
  second,
  isSuccessful,
}: Hedge<Asked, Pending>): Promise<Hedged<Asked, Pending>> {
  const early = await within(first.requested, afterMs);
  if (early !== undefined) return { last: early };
  const other = second();
  if (!other) return { last: await first.requested };
  const both = [first, other] as const;
  const index = await Promise.race(both.map(({ requested }, at) => requested.then(() => at))).catch(
    (fault: unknown) => {
      // Neither result is needed after an internal error.
      for (const each of both) each.abandon();
      throw fault;
    },
  );
  const [quicker, slower] = index === 0 ? both : [other, first];
  const response = await quicker.requested;
  if (!isSuccessful(response)) return { last: await slower.requested, failed: response };
  slower.abandon();
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
