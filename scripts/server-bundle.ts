import { basename, dirname, resolve } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

/** `new URL('./bcrypt-thread.ts', import.meta.url)`: a file that runs separately, as a thread or process. */
const runFile = /new URL\('(\.[^'\n]*\.ts)', import\.meta\.url\)/g;
/** `createRequire(import.meta.url)('undici/…')`: a file of a package by path. */
const requiredFile = /createRequire\(import\.meta\.url\)\(\s*'([^'\n]+)',?\s*\)/g;

export interface ServerBundle {
  /** Entry files by output name. */
  readonly entry: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Distinguishes the package from a checkout: see packages/server/src/platform/errors/command-line.ts. */
  readonly extension: 'js' | 'mjs';
  /** Packages that stay in node_modules. */
  readonly external?: readonly string[];
}

/**
 * Bundles the server to JavaScript: a few files in one folder, with their original names, and only the used parts of
 * each dependency.
 */
export async function bundleServer(bundle: ServerBundle): Promise<readonly string[]> {
  const { entry, folder, extension, external = [] } = bundle;
  await using built = await rolldown({
    input: entry,
    platform: 'node',
    // An optional driver that is never installed.
    external: ['pg-native', ...external],
    treeshake: { moduleSideEffects: (id) => !id.includes('/packages/testkit/') },
    plugins: [separateFiles(extension), escapeText],
    onLog: (level, log, report) => {
      // Warnings about third-party code are ignored.
      if (log.code !== 'EVAL' && log.code !== 'COMMONJS_VARIABLE_IN_ESM') report(level, log);
    },
  });
  const { output } = await built.write({
    dir: folder,
    format: 'esm',
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
    minify: false,
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  return output.filter((file): file is OutputChunk => file.type === 'chunk').flatMap(({ moduleIds }) => moduleIds);
}

/**
 * Escapes characters beyond Latin-1. V8 stores a file in two bytes per character if it contains a single one of them,
 * and keeps it in memory as long as the process runs.
 */
const escapeText: Plugin = {
  name: 'escape-text',
  renderChunk: (code) =>
    code.replace(/(\\?)([\u0100-\uffff])/g, (_, backslash: string, character: string) => {
      if (backslash !== '') throw new Error(`A backslash before ${character} cannot be escaped.`);
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    }),
};

/** Keeps separately started files as separate files and rewrites the paths to them. */
function separateFiles(extension: string): Plugin {
  const known = new Map<string, string>();
  return {
    name: 'files-of-their-own',
    transform: {
      filter: { id: /\.ts$/, code: 'import.meta.url' },
      handler(code, id) {
        const named = code.replace(runFile, (_, path: string) => {
          const source = resolve(dirname(id), path);
          const name = `${basename(source, '.ts')}.${extension}`;
          const other = known.get(name);
          if (other === undefined) this.emitFile({ type: 'chunk', id: source, fileName: name });
          else if (other !== source) this.error(`${other} and ${source} would become the same file.`);
          known.set(name, source);
          return `new URL('./${name}', import.meta.url)`;
        });
        return named.replace(requiredFile, "require('$1')");
      },
    },
  };
}
