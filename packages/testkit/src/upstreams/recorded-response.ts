import { StubUpstream, type UpstreamHandler } from './stub-upstream.ts';

/** Serves the response once and returns its status, content type and bytes. */
export async function recordResponse(reply: UpstreamHandler) {
  const upstream = await StubUpstream.start(reply);
  try {
    const response = await fetch(upstream.url, { method: 'POST' });
    const contentType = response.headers.get('content-type') ?? '';
    return { status: response.status, contentType, bytes: Buffer.from(await response.arrayBuffer()) };
  } finally {
    await upstream.close();
  }
}
