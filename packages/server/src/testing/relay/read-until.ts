/** Reads a stream until it contains the text; fails if the stream ends first. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<string> | undefined,
  mark: string,
): Promise<string> {
  let said = '';
  while (!said.includes(mark)) {
    const next = await reader?.read();
    if (next?.value === undefined) throw new Error(`The stream ended without ${mark}: ${said}`);
    said += next.value;
  }
  return said;
}
