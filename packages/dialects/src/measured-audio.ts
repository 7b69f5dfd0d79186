/** Minimum bytes per second of common recordings; at a lower rate, a few kilobytes may contain hours. */
const minBytesPerSecond = 1000;
/** WAV format codes of uncompressed samples. */
const plainFormats: ReadonlySet<number> = new Set([1, 3]);
const headerCharacters = 60;

/** Whether the size of base64 audio bounds its length, by its first bytes. */
export function isMeasuredAudio(data: string): boolean {
  // MP3 starts with a tag or a frame, which has at least 8 kbit/s.
  if (data.startsWith('SUQz') || data.startsWith('//')) return true;
  const header = Buffer.from(data.slice(0, headerCharacters), 'base64');
  if (header.length < 36 || header.toString('latin1', 0, 4) !== 'RIFF') return false;
  if (header.toString('latin1', 8, 16) !== 'WAVEfmt ') return false;
  const bytesPerSecond = header.readUInt32LE(24) * header.readUInt16LE(32);
  return plainFormats.has(header.readUInt16LE(20)) && bytesPerSecond >= minBytesPerSecond;
}
