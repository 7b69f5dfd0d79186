import { UpstreamProblem } from '@headgate/providers';
import { endpointKinds } from './endpoint-kinds.ts';
import { failedTry, refusedTry } from './failed-try.ts';
import type { Departure } from './leaving.ts';
import type { Outside } from './outside.ts';
import type { RelayChannel } from './ports.ts';
import { prepare } from './prepare-request.ts';
import { readRequest } from './read-request.ts';
import { RelayError } from './relay-error.ts';
import { UpstreamFailure } from './upstream-exchange.ts';
import { readWhole } from './whole-reply.ts';

const question = 'Output only your specific model name with no additional text.';

/** Asks a channel one small question; gives its answer, or says in a RelayError why there is none. */
export async function probeChannel(
  outside: Outside,
  channel: RelayChannel,
  model: string,
  signal: Departure,
): Promise<string> {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: question }] });
  const request = readRequest(endpointKinds.chat, Buffer.from(body));
  const { upstreams } = outside;
  try {
    const prepared = await prepare(request, channel, outside);
    const response = await upstreams.open(prepared.request, signal);
    if (response.status !== 200) throw (await refusedTry(prepared, response)).error;
    const reply = await readWhole({ request, prepared, requestId: 'test', upstreams, signal }, response);
    return answerIn(reply.body);
  } catch (error) {
    if (error instanceof UpstreamFailure) {
      throw new RelayError(502, signal.aborted ? 'no answer came in time' : error.message, 'upstream_unreachable');
    }
    throw error instanceof UpstreamProblem || !(error instanceof RelayError) ? failedTry(error, channel).error : error;
  }
}

function answerIn(body: Buffer): string {
  const { choices } = JSON.parse(body.toString('utf8')) as { choices?: { message?: { content?: unknown } }[] };
  const content = choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new RelayError(502, 'The answer has no text', 'bad_response');
  return content;
}
