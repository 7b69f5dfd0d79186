/** Reads a stream until it contains the mark; fails if it ends before. */
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
