import type { RequestUrlInfo } from '@headgate/dialects';
import type { ClientHeaders } from '@headgate/providers';
import { RelayError } from '../ports/relay-error.ts';
import type { EndpointKind } from './endpoint-kinds.ts';
import {
  decodeStrings,
  encodeStrings,
  isLongString,
  LongStrings,
  restoreLongStrings,
  type StringRange,
  stringify,
  withoutLongStrings,
} from './long-strings.ts';
import { buildRelayRequest, parseBody, type RelayRequest, readRequest, toOpenAiFormat } from './read-request.ts';

interface LargeBody {
  readonly bytes: Buffer;
  readonly longStrings: readonly StringRange[];
}

/**
 * Like `readRequest`, for a body with megabytes of long strings, such as images: yields to other requests while
 * reading.
 */
export async function readLargeRequest(
  endpointKind: EndpointKind,
  { bytes, longStrings: ranges }: LargeBody,
  headers: ClientHeaders,
  address: RequestUrlInfo = {},
): Promise<RelayRequest> {
  const kind = endpointKind.turnsInto?.(parseBody(withoutLongStrings(bytes, ranges))) ?? endpointKind;
  if (kind.translation) {
    const { body, longStrings } = await readTranslated(kind.translation, { bytes, longStrings: ranges }, address);
    return buildRelayRequest(kind, { bytes: stringify(body, longStrings), longStrings, headers, address: {}, body });
  }
  const request = readRequest(kind, withoutLongStrings(bytes, ranges), headers, address);
  if (isLongString(request.model)) throw new RelayError(400, 'model is invalid', null, 'invalid_request_error');
  const strings = await decodeStrings(bytes, ranges);
  const longStrings = bytesOf(strings, { bytes, longStrings: ranges });
  return { ...request, bytes, longStrings, body: restoreLongStrings(request.body, strings) };
}

/** A translated request is built from scratch, so its strings are serialized in chunks too. */
async function readTranslated(
  translation: NonNullable<EndpointKind['translation']>,
  { bytes, longStrings: ranges }: LargeBody,
  address: RequestUrlInfo,
) {
  const parsed = parseBody(withoutLongStrings(bytes, ranges));
  const strings = await decodeStrings(bytes, ranges);
  const body = toOpenAiFormat(translation, restoreLongStrings(parsed, strings), address);
  const longStrings = bytesOf(strings, { bytes, longStrings: ranges });
  await encodeStrings(body, longStrings);
  return { body, longStrings };
}

/** Original bytes of the strings. */
const bytesOf = (strings: readonly string[], { bytes, longStrings }: LargeBody): LongStrings =>
  new LongStrings(
    longStrings.map(({ start, end }, index) => ({ text: strings[index] ?? '', bytes: bytes.subarray(start, end) })),
  );
