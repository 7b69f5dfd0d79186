import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const smallestCompressedBytes = 1024;

/** Writes `.br` and `.gz` next to a file; the server sends them instead of the file. */
export async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length <= smallestCompressedBytes) return;
  const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, best));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}
