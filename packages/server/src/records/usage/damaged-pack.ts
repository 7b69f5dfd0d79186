/** A pack that cannot be read as it is stored. */
export class DamagedPack extends Error {
  override readonly name = 'DamagedPack';
  /** The first second of the time it is about. */
  readonly start: number;

  constructor(start: number, cause: unknown) {
    super(`The packed usage of ${start} cannot be read.`, { cause });
    this.start = start;
  }
}
