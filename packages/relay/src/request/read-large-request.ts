import type { RequestAddress } from '@headgate/dialects';
import type { ClientHeaders } from '@headgate/providers';
import { RelayError } from '../ports/relay-error.ts';
import type { EndpointKind } from './endpoint-kinds.ts';
import { decodeStrings, isLongString, putBack, type StringRange, withoutLongStrings } from './long-strings.ts';
import { type RelayRequest, readRequest } from './read-request.ts';

interface LargeBody {
  readonly bytes: Buffer;
  readonly longStrings: readonly StringRange[];
}

/** As `readRequest`, for a body of megabytes in long strings, such as pictures: others have their turn meanwhile. */
export async function readLargeRequest(
  kind: EndpointKind,
  { bytes, longStrings: ranges }: LargeBody,
  headers: ClientHeaders,
  address: RequestAddress = {},
): Promise<RelayRequest> {
  const request = readRequest(kind, withoutLongStrings(bytes, ranges), headers, address);
  if (isLongString(request.model)) throw new RelayError(400, 'model is invalid', null, 'invalid_request_error');
  const strings = await decodeStrings(bytes, ranges);
  const longStrings = new Map(
    ranges.map(({ start, end }, index) => [strings[index] ?? '', bytes.subarray(start, end)]),
  );
  return { ...request, bytes, longStrings, body: putBack(request.body, strings) };
}
