import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';

interface Sources {
  /** Relative to the repository root. */
  readonly files: readonly string[];
  /** Other inputs of the build. */
  readonly setting?: string;
}

/** Records the sources of a build next to it, so that a start builds only what has changed. */
export class BuildStamp {
  readonly #file: string;
  readonly #sources: () => Sources;

  constructor(folder: string, sources: () => Sources) {
    this.#file = join(folder, '.stamp');
    this.#sources = sources;
  }

  isStale(): boolean {
    return !existsSync(this.#file) || readFileSync(this.#file, 'utf8') !== this.ofSources();
  }

  /** Must be taken before a build: changes made in the meantime are built next time. */
  ofSources(): string {
    const { files, setting = '' } = this.#sources();
    const hash = createHash('sha256').update(setting);
    for (const file of files) {
      hash.update(`\0${file}\0`);
      hash.update(readFileSync(join(repositoryRoot, file)));
    }
    return hash.digest('hex');
  }

  write(sources: string): void {
    writeFileSync(this.#file, sources);
  }
}
