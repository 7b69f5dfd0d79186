import { type Data, type Endpoint, etagHeader, type Input, ifMatchHeader } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { type CallInput, type CallOptions, parseData, sendRequest } from './call.ts';
import { CallFailure } from './failure.ts';

/** A resource with its ETag, as read for editing. */
export interface ReadResource<Resource, Parts = undefined> {
  readonly thing: Resource;
  /** Other resources covered by the ETag. */
  readonly parts: Parts | undefined;
  /** Undefined if the server sends none. */
  readonly etag: string | undefined;
}

/** Reads a resource with its ETag, so that a later update cannot overwrite other changes. */
export async function readForEdit<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options?: CallOptions,
): Promise<ReadResource<Data<E>>> {
  const { envelope, response } = await sendRequest(endpoint, input as CallInput, options);
  const thing = parseData(endpoint.reply, envelope.data) as Data<E>;
  return { thing, parts: undefined, etag: response.headers.get(etagHeader) ?? undefined };
}

/** The parts are read last: if they change in between, the ETag is outdated and a save is rejected. */
export async function readForEditWithParts<E extends Endpoint, Parts>(
  endpoint: E,
  input: Input<E>,
  readParts: (() => Promise<Parts | undefined>) | undefined,
  options?: CallOptions,
): Promise<ReadResource<Data<E>, Parts>> {
  const read = await readForEdit(endpoint, input, options);
  return { ...read, parts: await readParts?.() };
}

/** A resource to edit. Never refetched: changes are computed against the state with which the form was opened. */
export const editQuery = <E extends Endpoint, Parts>(
  endpoint: E,
  input: Input<E>,
  readParts?: () => Promise<Parts | undefined>,
) =>
  queryOptions({
    queryKey: ['edited', endpoint.path, input],
    queryFn: ({ signal }) => readForEditWithParts(endpoint, input, readParts, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Call options that make an update fail if the resource has changed since it was read. */
export const ifMatch = ({ etag }: Pick<ReadResource<unknown>, 'etag'>): CallOptions =>
  etag === undefined ? {} : { headers: { [ifMatchHeader]: etag } };

const preconditionFailed = 412;

/** True if another user has changed the resource since it was read. */
export const isEditConflict = (error: unknown): boolean =>
  error instanceof CallFailure && error.status === preconditionFailed;
