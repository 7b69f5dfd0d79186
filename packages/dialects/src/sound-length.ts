/** Bytes of a second that no usual recording goes below; what is slower may be hours in a few kilobytes. */
const leastBytesPerSecond = 1000;
/** Codes of a WAV file whose samples are as they are heard. */
const plainFormats: ReadonlySet<number> = new Set([1, 3]);
const headerCharacters = 60;

/** Whether the length of a sound in base64 bounds how long it plays, by what its first bytes say. */
export function isMeasuredSound(data: string): boolean {
  // How MP3 begins: with a tag, or with a frame, of which none has less than 8 kilobits a second.
  if (data.startsWith('SUQz') || data.startsWith('//')) return true;
  const header = Buffer.from(data.slice(0, headerCharacters), 'base64');
  if (header.length < 36 || header.toString('latin1', 0, 4) !== 'RIFF') return false;
  if (header.toString('latin1', 8, 16) !== 'WAVEfmt ') return false;
  const bytesPerSecond = header.readUInt32LE(24) * header.readUInt16LE(32);
  return plainFormats.has(header.readUInt16LE(20)) && bytesPerSecond >= leastBytesPerSecond;
}
