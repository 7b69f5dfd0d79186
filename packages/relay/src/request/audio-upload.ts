import { audioSeconds } from '@headgate/dialects';

export interface AudioUpload {
  readonly bytes: number;
  /** Undefined when the file does not state its length. */
  readonly seconds: number | undefined;
}

export function readUpload(file: Buffer): AudioUpload {
  return { bytes: file.length, seconds: audioSeconds(file) };
}
