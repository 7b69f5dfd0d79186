import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository.ts';

interface Sources {
  /** From the root of the repository. */
  readonly files: readonly string[];
  /** What else goes into the build. */
  readonly setting?: string;
}

/** Says beside what was built what it was built from, so that a start builds only what has changed. */
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

  /** To be taken before a build: what changes meanwhile is built by the next. */
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
