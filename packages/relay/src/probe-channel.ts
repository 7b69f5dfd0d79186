import { providers } from '@headgate/providers';
import { collect, readJsonReply } from './deliver-json.ts';
import { endpointKinds } from './endpoint-kinds.ts';
import type { RelayChannel } from './ports.ts';
import { RelayError } from './relay-error.ts';
import { UpstreamFailure, type Upstreams } from './upstream.ts';
import { upstreamError } from './upstream-error.ts';

const question = 'Output only your specific model name with no additional text.';
const largestErrorBody = 1024 * 1024;

/** Asks a channel one small question; gives its answer, or says in a RelayError why there is none. */
export async function probeChannel(
  upstreams: Upstreams,
  channel: RelayChannel,
  model: string,
  signal: AbortSignal,
): Promise<string> {
  const provider = providers[channel.type as keyof typeof providers];
  try {
    const response = await upstreams.open(
      {
        method: 'POST',
        url: (channel.baseUrl || provider.baseUrl) + endpointKinds.chat.path,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
        body: JSON.stringify({
          model: channel.modelMapping.get(model) || model,
          messages: [{ role: 'user', content: question }],
        }),
      },
      signal,
    );
    if (response.status !== 200) {
      throw upstreamError(response.status, await collect(response, largestErrorBody), channel);
    }
    return answerIn((await readJsonReply(response, channel, endpointKinds.chat)).body);
  } catch (error) {
    if (error instanceof UpstreamFailure) {
      throw new RelayError(502, signal.aborted ? 'no answer came in time' : error.message, 'upstream_unreachable');
    }
    throw error;
  }
}

function answerIn(body: Buffer): string {
  const { choices } = JSON.parse(body.toString('utf8')) as { choices?: { message?: { content?: unknown } }[] };
  const content = choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new RelayError(502, 'The answer has no text', 'bad_response');
  return content;
}
