import { AnswerGatherer, type ChatAnswer, UpstreamProblem } from '@headgate/dialects';
import type { ChatAdaptor } from '@headgate/providers';
import { ConvertedStream } from '../framing/converted-stream.ts';
import type { GoneSignal } from '../ports/client-gone.ts';
import { answerTooLong, type GatheringShare, mostConverted, mostGathered } from '../upstream/gathering.ts';
import { GuardedSink } from '../upstream/guarded-sink.ts';
import { UpstreamFailure, type UpstreamResponse, type UpstreamSink } from '../upstream/upstream-exchange.ts';

interface Gathering {
  readonly share: GatheringShare;
  readonly signal: GoneSignal;
}

/** Buffers a stream into one response, for upstreams that only stream. */
export async function gathered(
  { share, signal }: Gathering,
  wire: Pick<ChatAdaptor, 'stream'>,
  response: UpstreamResponse,
): Promise<ChatAnswer> {
  const gatherer = new AnswerGatherer();
  if (!wire.stream) throw new Error('An adaptor must decode responses or streams.');
  const stream = new ConvertedStream({ stream: wire.stream, gatherer });
  let length = 0;
  await new Promise<void>((resolve, reject) => {
    const sink: UpstreamSink = {
      data(chunk) {
        length += chunk.length;
        if (length > mostConverted || (length > mostGathered && !share.take(chunk.length))) {
          reject(answerTooLong(length > mostConverted));
          response.abort();
          return;
        }
        stream.push(chunk);
        if (!stream.problem && !stream.isComplete) return;
        resolve();
        response.abort();
      },
      end: () => (signal.aborted ? reject(new UpstreamFailure('client disconnected', true)) : resolve()),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
  stream.finish();
  if (stream.problem) throw stream.problem;
  const answer = gatherer.answer(stream.usage);
  if (!answer)
    throw new UpstreamProblem(502, "The upstream's stream was interrupted: unexpected end", 'upstream_broke');
  return answer;
}
