// make-root.mjs <package folder> <image folder>: assembles the contents of the image. It copies Node and the
// libraries of the system it runs on, so it runs on Linux only.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [packageFolder, image] = process.argv.slice(2);
if (packageFolder === undefined || image === undefined) {
  console.error('Use: node make-root.mjs <folder of the package> <folder of the image>');
  process.exit(2);
}

const node = realpathSync(process.execPath);
put(node, '/usr/bin/node');
chmodSync(join(image, '/usr/bin/node'), 0o755);
for (const library of librariesOf(node)) put(library, library);

cpSync(packageFolder, join(image, 'headgate'), { recursive: true });
copyFileSync(fileURLToPath(new URL('./health.mjs', import.meta.url)), join(image, 'headgate/health.mjs'));

mkdirSync(join(image, 'data'), { recursive: true });
mkdirSync(join(image, 'tmp'), { recursive: true });
chmodSync(join(image, 'data'), 0o700);
chmodSync(join(image, 'tmp'), 0o1777);
mkdirSync(join(image, 'etc'), { recursive: true });
// User name, for programs that look it up.
writeFileSync(join(image, 'etc/passwd'), 'headgate:x:10001:10001:headgate:/data:/nonexistent\n');
writeFileSync(join(image, 'etc/group'), 'headgate:x:10001:\n');
// Otherwise local host names would be resolved by DNS.
writeFileSync(join(image, 'etc/nsswitch.conf'), 'hosts: files dns\n');

/** Libraries that the system's loader loads for a program, including the loader. */
function librariesOf(program) {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' });
  return listed.split('\n').flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

function put(from, to) {
  const path = join(image, to);
  mkdirSync(dirname(path), { recursive: true });
  // Copies the file that a symbolic link points to, under the name of the link.
  copyFileSync(realpathSync(from), path);
}
