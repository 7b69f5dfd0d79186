import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { readConfig } from '../../config.ts';
import { type ConfigFileCommand, runApply, runPlan, runValidate } from '../../settings/config-file-commands.ts';
import type { TestDatabase } from '../database/test-database.ts';

/** A folder with a configuration file, and the environment with its secrets. */
export class ConfigFileFixture implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'headgate-file-'));
  readonly path = join(this.folder, 'headgate.yaml');
  readonly variables: Record<string, string> = {};
  readonly #database: Pick<TestDatabase, 'location'>;

  constructor(database: Pick<TestDatabase, 'location'>) {
    this.#database = database;
  }

  /** Writes the file from text or an object. */
  write(contents: string | object, name = 'headgate.yaml'): void {
    writeFileSync(
      join(this.folder, name),
      typeof contents === 'string' ? contents : stringify(contents, { aliasDuplicateObjects: false }),
    );
  }

  /** Runs the plan command; returns its output and whether anything differed. */
  async plan(given: Partial<ConfigFileCommand> = {}): Promise<{ readonly lines: string[]; readonly differs: boolean }> {
    const lines: string[] = [];
    const differs = await runPlan(this.#command(lines, given), this.#config);
    return { lines, differs };
  }

  /** Runs the plan command with --validate and returns its output. */
  validate(): string[] {
    const lines: string[] = [];
    runValidate(this.#command(lines, {}));
    return lines;
  }

  async apply(given: Partial<ConfigFileCommand> = {}): Promise<string[]> {
    const lines: string[] = [];
    await runApply(this.#command(lines, given), this.#config);
    return lines;
  }

  get #config() {
    return { ...readConfig({}), ...this.#database.location };
  }

  #command(lines: string[], given: Partial<ConfigFileCommand>): ConfigFileCommand {
    return {
      path: this.path,
      isPruning: false,
      print: (line) => void lines.push(line),
      variable: (name) => this.variables[name],
      patienceMs: 0,
      ...given,
    };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
