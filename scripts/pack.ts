import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { makeClientPackage } from './package/client-package.ts';
import { makePackage, packedFolder } from './package/make-package.ts';
import { tryPackage } from './package/try-package.ts';

/**
 * `npm run pack [-- --try | --client]`: builds the package; `--try` also installs it in an empty folder. `--client`
 * builds the typed client's package instead.
 */
const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({ options: { try: flag, client: flag } });

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const tarball = values.client ? await makeClientPackage(packedFolder) : await makePackage();
console.log(`${relative(process.cwd(), tarball)} (${megabytes(statSync(tarball).size)})`);
if (values.try && !values.client) {
  const { installedBytes, nodeBytes, installSeconds, startSeconds } = await tryPackage(tarball);
  console.log(
    `installed: ${megabytes(installedBytes)}, of which Node is ${megabytes(nodeBytes)}, in ${installSeconds.toFixed(1)} s`,
  );
  const [first, next] = startSeconds.map((seconds) => seconds.toFixed(1));
  console.log(`npx to /healthz: ${first} s for the first start, ${next} s for the next`);
}
