const headerBytes = 44;

/** A silent WAV file, 8-bit mono, in base64. */
export function silentWav(samplesPerSecond: number, bytes = 16): string {
  const wav = Buffer.alloc(headerBytes + bytes);
  wav.write('RIFF', 0);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(samplesPerSecond, 24);
  wav.writeUInt32LE(samplesPerSecond, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(bytes, 40);
  return wav.toString('base64');
}
