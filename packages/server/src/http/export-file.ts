import type { Readable } from 'node:stream';
import type { ExportFormat } from '@headgate/contract';

/** A file that is generated while it is sent. */
export interface ExportFile {
  /** Without the extension of its format. */
  readonly name: string;
  readonly format: ExportFormat;
  /** Number of rows of the complete file. */
  readonly total: number;
  /** Fails when the file is incomplete, so that it is not mistaken for a complete one. Destroy it if it is not read. */
  readonly content: Readable;
}
