import {
  GuardedSink,
  KeyFilter,
  maskSecrets,
  type RelayChannel,
  RelayError,
  type UpstreamResponse,
  type UpstreamSink,
  whoEnded,
} from '@headgate/relay';
import type { HttpClientSink } from '../clients/http-client-sink.ts';
import { passedHeaders } from './proxy-headers.ts';

/** The longest error that is passed on, in bytes: nobody needs more. */
const longestError = 65_536;

/** Hands an answer on; gives why the client has not all of it, undefined when it has, but for the end. */
export function deliver(
  response: UpstreamResponse,
  client: HttpClientSink,
  channel: RelayChannel,
): Promise<RelayError | undefined> {
  return new Promise((resolve, reject) => {
    if (isError(response) && isEncoded(response)) {
      // What cannot be read here may quote the key, and can be read there.
      response.abort();
      client.start(response.status, { 'content-type': 'application/json' });
      client.write(Buffer.from(JSON.stringify({ error: { message: withheld, type: 'headgate_error' } })));
      resolve(undefined);
      return;
    }
    client.start(response.status, passedHeaders(response.headers, channel));
    client.gone.addEventListener('abort', () => {
      response.abort();
      resolve(whoEnded(client.gone).failure);
    });
    const end = () => resolve(undefined);
    const fail = (error: Error) => resolve(client.gone.aborted ? whoEnded(client.gone).failure : broke(error));
    const filter = new KeyFilter(channel);
    const write = (bytes: Buffer) => {
      if (bytes.length === 0 || client.write(bytes)) return;
      response.pause();
      client.onDrained(() => response.resume());
    };
    const data = (chunk: Buffer) => write(filter.pass(chunk));
    const finish = () => {
      write(filter.finish());
      end();
    };
    const sink: UpstreamSink = isError(response)
      ? maskedError({ response, channel, client, end, fail })
      : { data, end: finish, fail };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}

const withheld = 'The upstream sent a compressed error, which is not passed on';

const isEncoded = ({ headers }: UpstreamResponse): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity';

const isError = ({ status }: UpstreamResponse): boolean => status >= 400;

interface ErrorParts extends Pick<UpstreamSink, 'end' | 'fail'> {
  readonly response: UpstreamResponse;
  readonly channel: RelayChannel;
  readonly client: HttpClientSink;
}

/** Many an upstream quotes the key it refuses, or the machine that is down: an error is read before it is passed on. */
function maskedError({ response, channel, client, end, fail }: ErrorParts): UpstreamSink {
  const chunks: Buffer[] = [];
  let length = 0;
  const finish = () => {
    // One character for each byte: what is not text stays as it is.
    const text = Buffer.concat(chunks).toString('latin1');
    client.write(Buffer.from(maskSecrets(text, channel), 'latin1'));
    end();
  };
  return {
    data(chunk) {
      if (length >= longestError) return;
      chunks.push(chunk);
      length += chunk.length;
      if (length < longestError) return;
      finish();
      response.abort();
    },
    end: finish,
    fail,
  };
}

const broke = ({ message }: Error) =>
  new RelayError(502, `The upstream's response was interrupted: ${message}`, 'upstream_broke');
