/** A channel that is being asked, and can be given up. */
export interface PendingTry<Asked> {
  readonly asked: Promise<Asked>;
  /** Ends it: another was quicker. */
  abandon(): void;
}

interface Hedge<Asked, Pending extends PendingTry<Asked>> {
  readonly first: Pending;
  readonly afterMs: number;
  /** Asks another channel; undefined when there is none, or no more may be asked. */
  readonly second: () => Pending | undefined;
  readonly isGood: (asked: Asked) => boolean;
}

interface Hedged<Asked, Pending> {
  /** What is to be told to the client, good or not. */
  readonly last: Asked;
  /** The other one, where it failed before. */
  readonly failed?: Asked;
  /** The other one, where it was given up. */
  readonly lost?: Pending;
}

/** Waits for one channel, and from a moment on for two of them: the first good answer is taken, and the other given up. */
export async function hedge<Asked, Pending extends PendingTry<Asked>>({
  first,
  afterMs,
  second,
  isGood,
}: Hedge<Asked, Pending>): Promise<Hedged<Asked, Pending>> {
  const early = await within(first.asked, afterMs);
  if (early !== undefined) return { last: early };
  const other = second();
  if (!other) return { last: await first.asked };
  const both = [first, other] as const;
  const index = await Promise.race(both.map(({ asked }, at) => asked.then(() => at))).catch((fault: unknown) => {
    // Nobody waits for either any more.
    for (const each of both) each.abandon();
    throw fault;
  });
  const [quicker, slower] = index === 0 ? both : [other, first];
  const answer = await quicker.asked;
  if (!isGood(answer)) return { last: await slower.asked, failed: answer };
  slower.abandon();
  return { last: answer, lost: slower };
}

/** Undefined when it takes longer. */
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
