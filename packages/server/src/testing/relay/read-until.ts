/** Reads a stream until it contains the text; fails if the stream ends first. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<string> | undefined,
  mark: string,
): Promise<string> {
  let text = '';
  while (!text.includes(mark)) {
    const next = await reader?.read();
    if (next?.value === undefined) throw new Error(`The stream ended without ${mark}: ${text}`);
    text += next.value;
  }
  return text;
}
