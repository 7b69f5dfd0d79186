import type { Usage } from '@headgate/dialects';
import { ConvertedStream, type StreamReader } from '../framing/converted-stream.ts';
import { PassThroughStream } from '../framing/pass-through-stream.ts';
import { SseScanner } from '../framing/sse-scanner.ts';
import { createKeyLeakFilter } from '../guards/key-leak-filter.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { isChatAdaptor, type Wire } from '../prepare/prepare-request.ts';
import { isConversation, responseScanOf } from '../request/endpoint-kinds.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { ResponseLength } from '../tokens/response-length.ts';
import { responseEnvelope } from './deliver-long-response.ts';

interface Reading {
  readonly request: RelayRequest;
  readonly requestId: string;
  readonly length: ResponseLength;
  readonly channel: RelayChannel;
}

/** True if a whole response in this wire format can be distinguished from a stream and read. */
export const canReadWholeResponse = (wire: Wire): boolean =>
  wire.kind === 'pass' || (isChatAdaptor(wire) && wire.decode !== undefined && wire.stream?.framing === 'sse');

/** Stream reader for this wire format; undefined if the upstream does not stream. */
export function createStreamReader(
  wire: Wire,
  { request, requestId, length, channel }: Reading,
): StreamReader | undefined {
  const { wantsUsage, kind } = request;
  if (wire.kind === 'pass' && wire.watch)
    return new PassThroughStream(wire.watch, length, createKeyLeakFilter(channel));
  if (wire.kind === 'pass') {
    const scan = responseScanOf(kind);
    const hides = wantsUsage ? undefined : scan.isEmptyEvent;
    const guard = createKeyLeakFilter(channel);
    const usageEvent =
      wantsUsage && isConversation(kind)
        ? (usage: Usage) => scan.usageEvent(usage, responseEnvelope(request, requestId))
        : undefined;
    return new SseScanner({ scan, hides, hiddenError: wire.hiddenError, length, guard, usageEvent });
  }
  if (!isChatAdaptor(wire) || !wire.stream) return undefined;
  return new ConvertedStream({
    stream: wire.stream,
    writer: kind.dialect.openStream(responseEnvelope(request, requestId)),
    length,
    keys: createKeyLeakFilter(channel),
  });
}
