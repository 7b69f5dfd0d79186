import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const smallestCompressedBytes = 1024;

/** Writes `.br` and `.gz` next to a file; the server sends them instead of the file. */
export async function compressFile(path: string, brotliQuality = constants.BROTLI_MAX_QUALITY): Promise<void> {
  const content = await readFile(path);
  if (content.length <= smallestCompressedBytes) return;
  const settings = { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, settings));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}
