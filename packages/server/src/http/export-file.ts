import type { Readable } from 'node:stream';
import type { ExportFormat } from '@headgate/contract';

/** A file that is written while it is read. */
export interface ExportFile {
  /** Without the ending that its format has. */
  readonly name: string;
  readonly format: ExportFormat;
  /** The rows it will have if it comes to its end. */
  readonly total: number;
  /** Fails when the file broke off, so that nobody takes it for a whole one. Whoever does not read it destroys it. */
  readonly content: Readable;
}
