import { audioSeconds } from '@headgate/dialects';

export interface AudioUpload {
  readonly bytes: number;
  /** Undefined if the file does not state its length. */
  readonly seconds: number | undefined;
}

export function readUpload(file: Buffer): AudioUpload {
  return { bytes: file.length, seconds: audioSeconds(file) };
}
