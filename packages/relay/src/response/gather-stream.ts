import { type ChatResponse, DeltaMerger, UpstreamProblem } from '@headgate/dialects';
import type { ChatAdaptor } from '@headgate/providers';
import { ConvertedStream } from '../framing/converted-stream.ts';
import type { DisconnectSignal } from '../ports/client-disconnect.ts';
import { GuardedSink } from '../upstream/guarded-sink.ts';
import {
  type BufferShare,
  maxBufferedBytes,
  maxTranslatedBytes,
  responseTooLongError,
} from '../upstream/response-buffer.ts';
import { UpstreamConnectionError, type UpstreamResponse, type UpstreamSink } from '../upstream/upstream-exchange.ts';

interface Gathering {
  readonly share: BufferShare;
  readonly signal: DisconnectSignal;
}

/** Buffers a stream into one response, for upstreams that only stream. */
export async function gatherStream(
  { share, signal }: Gathering,
  wire: Pick<ChatAdaptor, 'stream'>,
  response: UpstreamResponse,
): Promise<ChatResponse> {
  const gatherer = new DeltaMerger();
  if (!wire.stream) throw new Error('An adaptor must decode responses or streams.');
  const stream = new ConvertedStream({ stream: wire.stream, gatherer });
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const sink: UpstreamSink = {
      data(chunk) {
        length += chunk.length;
        if (length > maxTranslatedBytes || (length > maxBufferedBytes && !share.take(chunk.length))) {
          reject(responseTooLongError(length > maxTranslatedBytes));
          response.abort();
          return;
        }
        stream.push(chunk);
        if (!stream.problem && !stream.isComplete) return;
        resolve();
        response.abort();
      },
      end: () => (signal.aborted ? reject(new UpstreamConnectionError('client disconnected', true)) : resolve()),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
  stream.finish();
  if (stream.problem) throw stream.problem;
  const reply = gatherer.answer(stream.usage);
  if (!reply) throw new UpstreamProblem(502, "The upstream's stream was interrupted: unexpected end", 'upstream_broke');
  return reply;
}
