import type { ApiClient } from '@headgate/testkit';

/** Requests a file and reads its first bytes. The rest is read on demand. */
export async function startPartialRead(client: ApiClient, path: string) {
  const ending = new AbortController();
  const response = await fetch(new URL(path, client.url), {
    headers: { cookie: client.cookies.headerFor(new URL(client.url)) ?? '' },
    signal: ending.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const first = await reader.read();
  const decoder = new TextDecoder();
  let text = decoder.decode(first.value, { stream: true });
  return {
    response,
    leave: () => ending.abort(),
    /** Reads the rest; returns the whole text and whether it is complete. */
    rest: async () => {
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return { text, isWhole: true };
          text += decoder.decode(value, { stream: true });
        }
      } catch {
        return { text, isWhole: false };
      }
    },
  };
}
