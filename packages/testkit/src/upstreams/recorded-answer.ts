import { StubUpstream, type UpstreamAnswer } from './stub-upstream.ts';

/** What an answer says over the wire. */
export async function recordedAnswer(answer: UpstreamAnswer) {
  const upstream = await StubUpstream.start(answer);
  try {
    const response = await fetch(upstream.url, { method: 'POST' });
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, contentType, bytes: Buffer.from(await response.arrayBuffer()) };
  } finally {
    await upstream.close();
  }
}
