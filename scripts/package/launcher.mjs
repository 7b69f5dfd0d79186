#!/usr/bin/env node
// Launcher of the package. Plain JavaScript for Node 20 and later: it finds the Node that runs Headgate, an optional
// dependency of the package, and starts it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { headgate } = require('../package.json');
const program = fileURLToPath(new URL('../server/lib/headgate.js', import.meta.url));

const node = nodeOfPackage() ?? ownNode();
if (node === undefined) {
  process.stderr.write(
    `headgate: Headgate needs Node ${headgate.oldestNode}: this is ${process.versions.node}, and the Node of the ` +
      'package is missing or not built for this machine. Install it without --omit=optional, or install ' +
      `Node ${headgate.oldestNode} or newer yourself.\n`,
  );
  process.exit(1);
}
handOver(node);

/** npm installs only the package for this platform. */
function nodeOfPackage() {
  // The packaged Node is built for glibc.
  if (process.platform === 'linux' && usesMusl()) return undefined;
  const name = headgate.nodes[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const folder = dirname(require.resolve(`${name}/package.json`));
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function usesMusl() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}

function ownNode() {
  return Number.parseInt(process.versions.node, 10) >= headgate.oldestNode ? process.execPath : undefined;
}

function handOver(file) {
  const flags = [...headgate.nodeFlags, program];
  const words = process.argv.slice(2);
  // Replaces this process with the other Node, where supported, so that signals reach it directly. Suppresses Node's
  // warning that this is experimental.
  process.removeAllListeners('warning');
  if (process.execve && process.platform !== 'win32') process.execve(file, [file, ...flags, ...words], process.env);
  const child = spawn(file, [...flags, '--end-with-launcher', ...words], { stdio: 'inherit' });
  child.on('error', (error) => {
    process.stderr.write(`headgate: ${file} cannot be started (${error.code}).\n`);
    process.exit(1);
  });
  // A terminal sends Ctrl-C to both; the child decides when to stop.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => isOurs(signal) && child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

/** Signals of a terminal reach the child directly; a second one would kill it. */
function isOurs(signal) {
  return signal !== 'SIGINT' || !process.stdin.isTTY;
}
