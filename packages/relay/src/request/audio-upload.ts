import { audioSeconds } from '@headgate/dialects';

/** An uploaded recording. */
export interface AudioUpload {
  readonly bytes: number;
  /** Undefined where the file does not tell. */
  readonly seconds: number | undefined;
}

export function readUpload(file: Buffer): AudioUpload {
  return { bytes: file.length, seconds: audioSeconds(file) };
}
