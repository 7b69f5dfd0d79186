import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Contents of the fake console's files. */
export const consoleFiles = {
  page: '<!doctype html><html><head><meta name="nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style></head></html>',
  script: `console.log(${JSON.stringify('headgate '.repeat(200))});`,
  plain: 'no compressed siblings',
  logo: 'PNG',
} as const;

/** A directory like the one created by the console build. */
export function createTestConsole(): string {
  const directory = mkdtempSync(join(tmpdir(), 'headgate-console-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), consoleFiles.page);
  writeFileSync(join(directory, 'logo.png'), consoleFiles.logo);
  const script = join(directory, 'assets', 'app-abc123.js');
  writeFileSync(script, consoleFiles.script);
  writeFileSync(`${script}.br`, brotliCompressSync(consoleFiles.script));
  writeFileSync(`${script}.gz`, gzipSync(consoleFiles.script));
  writeFileSync(join(directory, 'assets', 'plain-def456.js'), consoleFiles.plain);
  return directory;
}
