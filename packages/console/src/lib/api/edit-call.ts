import { type Data, type Endpoint, etagHeader, type Input, ifMatchHeader } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallInput, type CallOptions, exchange, understood } from './call.ts';
import { CallFailure } from './failure.ts';

/** One thing as it was read, to be changed. */
export interface Read<Thing> {
  readonly thing: Thing;
  /** Undefined: this server does not say. */
  readonly etag: string | undefined;
}

/** Reads one thing with what a change of it has to say, so that nobody else's is lost. */
export async function readToEdit<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: CallOptions,
): Promise<Read<Data<E>>> {
  const { envelope, response } = await exchange(endpoint, input as CallInput, options);
  const thing = understood(endpoint.reply, envelope.data) as Data<E>;
  return { thing, etag: response.headers.get(etagHeader) ?? undefined };
}

/** A thing to be edited. Read once: what a form was opened with is what its changes are told from. */
export const editedQuery = <E extends Endpoint>(endpoint: E, input: Input<E>) =>
  queryOptions({
    queryKey: ['edited', endpoint.path, input],
    queryFn: ({ signal }): Promise<Read<Data<E>>> => readToEdit(endpoint, input, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Makes a call change a thing only while it is what was read. */
export const ifStill = ({ etag }: Pick<Read<unknown>, 'etag'>): CallOptions =>
  etag === undefined ? {} : { headers: { [ifMatchHeader]: etag } };

const preconditionFailed = 412;

/** Whether somebody else has changed it since. */
export const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof CallFailure && error.status === preconditionFailed;
