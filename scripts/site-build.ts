import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildStamp } from './build-stamp.ts';
import { compressFile } from './compress-file.ts';
import { repositoryRoot } from './repository.ts';
import { listFiles } from './source-files.ts';
import { runCaptured } from './tool.ts';

/** Compresses 3 % worse than the maximum, in a third of the time. */
const brotliQuality = 10;
const siteFolder = join(repositoryRoot, 'packages/site');
export const siteDistFolder = join(siteFolder, 'dist');

const stamp = new BuildStamp(siteDistFolder, () => ({
  files: [
    ...listFiles(repositoryRoot, 'docs', /\.md$/),
    ...['packages/site/src', 'packages/site/.vitepress'].flatMap((folder) =>
      listFiles(repositoryRoot, folder, /\.ts$/),
    ),
    'package-lock.json',
  ],
}));

/** Builds `docs/` as a static site for the server to serve under `/docs`. */
export async function buildSiteIfStale(): Promise<void> {
  if (!stamp.isStale()) return;
  console.log('Building the documentation…');
  const sources = stamp.ofSources();
  const { exitCode, output } = await runCaptured('vitepress', ['build', '.'], { folder: siteFolder });
  if (exitCode !== 0) throw new Error(`The documentation does not build:\n${output}`);
  const pages = listFiles(siteDistFolder, '', /\.html$/);
  if (new Set(pages.map(inlineScriptsOf)).size > 1)
    throw new Error('The pages of the documentation contain different inline scripts; the server allows those of one.');
  const files = listFiles(siteDistFolder, '', /\.(js|css|html|svg|json)$/);
  await Promise.all(files.map((file) => compressFile(join(siteDistFolder, file), brotliQuality)));
  // Written last, so that an aborted build counts as stale.
  stamp.write(sources);
}

const inlineScriptsOf = (page: string): string =>
  [...readFileSync(join(siteDistFolder, page), 'utf8').matchAll(/<script(?![^>]*\bsrc=)[^>]*>[\s\S]*?<\/script>/g)]
    .map(String)
    .join('\n');
