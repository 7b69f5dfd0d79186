import { defaultOptions, defaultRoot, passwordLength } from '@headgate/contract';
import { SessionRepository } from '../accounts/sessions/session-repository.ts';
import { SessionService } from '../accounts/sessions/session-service.ts';
import { UserRepository } from '../accounts/users/user-repository.ts';
import { UserService } from '../accounts/users/user-service.ts';
import { readProcessConfig } from '../config.ts';
import { localChangeFeed } from '../platform/db/change-feed.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { createTransactions } from '../platform/db/transaction.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createLogger } from '../platform/logging/log-lines.ts';
import { OptionRepository } from '../platform/options/option-repository.ts';
import { exitCodes, runMain, UsageError } from './run-main.ts';
import { firstLine, promptSecret } from './secret-input.ts';

/** `npm run passwd -- [username]`: sets a password from the machine itself, and ends that user's sessions. */
await runMain(async () => {
  const [, , username = defaultRoot.username, ...others] = process.argv;
  if (others.length > 0) throw new UsageError(`Use: ${commandLine('passwd', '[username]')}`);
  await setPassword(username);
  return exitCodes.done;
});

async function setPassword(username: string): Promise<void> {
  const config = readProcessConfig();
  const database = await openDatabase(config);
  try {
    await migrate(database);
    const repository = new UserRepository(database);
    if (!(await repository.hasAny())) {
      throw new StartFailure('There are no users yet. Start Headgate once, or set ROOT_PASSWORD for its first start.');
    }
    const sessions = new SessionService(new SessionRepository(database));
    const inTransaction = createTransactions(database, localChangeFeed(createLogger('error')));
    const max = await passwordMaximum(database);
    const users = new UserService(repository, sessions, inTransaction, {
      passwordKib: config.passwordKib,
      passwordMaxLength: () => max,
    });
    if (!(await users.exists(username))) throw new StartFailure(`No user named ${JSON.stringify(username)}.`);
    await users.resetPassword(username, await readPassword(username, max));
  } finally {
    await database.destroy();
  }
  process.stdout.write(`The password of ${username} was set and all of its sessions were ended.\n`);
}

/** Value of the option PasswordMaxLength. */
async function passwordMaximum(database: Database): Promise<number> {
  const stored = (await new OptionRepository(database).all()).find(({ key }) => key === 'PasswordMaxLength');
  return stored === undefined ? defaultOptions.PasswordMaxLength : Number(stored.value);
}

async function readPassword(username: string, max: number): Promise<string> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return checked(await firstLine(stdin), max);
  const password = checked(await promptSecret(`New password of ${username}: `, stdin, stdout), max);
  if ((await promptSecret('Repeat the password: ', stdin, stdout)) === password) return password;
  throw new StartFailure('The passwords do not match. Nothing was changed.');
}

function checked(password: string, max: number): string {
  const { min } = passwordLength;
  if (password.length >= min && password.length <= max) return password;
  throw new StartFailure(`The password must have ${min} to ${max} characters. Nothing was changed.`);
}
