import type { FastifyBaseLogger } from 'fastify';
import { Turnstile } from './bot-check/turnstile.ts';
import { VisitorCheck } from './bot-check/visitor-check.ts';
import type { CodeService } from './codes/code-service.ts';
import type { Config } from './config.ts';
import { LoginLimits } from './limits/login-limits.ts';
import { BindingService } from './login/binding-service.ts';
import { github } from './login/github.ts';
import { lark } from './login/lark.ts';
import { LoginService } from './login/login-service.ts';
import { oidc } from './login/oidc.ts';
import { ProofService } from './login/proof-service.ts';
import { ProviderLoginService } from './login/provider-login-service.ts';
import { wechat } from './login/wechat.ts';
import type { LogService } from './logs/log-service.ts';
import { MailQueue } from './mail/mail-queue.ts';
import { MailService } from './mail/mail-service.ts';
import { sendMail } from './mail/mail-transport.ts';
import { NotifierService } from './notices/notifier-service.ts';
import { HomeAddress } from './options/home-address.ts';
import type { OptionService } from './options/option-service.ts';
import type { PasskeyRepository } from './passkeys/passkey-repository.ts';
import { PasskeyService } from './passkeys/passkey-service.ts';
import { EmailCodeService } from './registration/email-code-service.ts';
import { PasswordResetService } from './registration/password-reset-service.ts';
import { RegistrationService } from './registration/registration-service.ts';
import type { SecondFactorRepository } from './second-factor/second-factor-repository.ts';
import { SecondFactorResetService } from './second-factor/second-factor-reset-service.ts';
import { SecondFactorService } from './second-factor/second-factor-service.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import type { SessionService } from './sessions/session-service.ts';
import type { TicketService } from './tickets/ticket-service.ts';
import type { TokenService } from './tokens/token-service.ts';
import type { InTransaction } from './transaction.ts';
import type { AccountService } from './users/account-service.ts';
import type { KnownIdentities } from './users/known-identities.ts';
import type { UserService } from './users/user-service.ts';

interface SignInDependencies {
  readonly config: Config;
  readonly logger: FastifyBaseLogger;
  readonly accounts: AccountService;
  readonly options: OptionService;
  readonly users: UserService;
  readonly sessions: SessionService;
  readonly tokens: TokenService;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly codes: CodeService;
  readonly knownIdentities: KnownIdentities;
  readonly tickets: TicketService;
  readonly factors: SecondFactorRepository;
  readonly passkeys: PasskeyRepository;
  readonly box: SecretBox;
}

/** The part of the composition that is about who somebody is: every way in, and what is mailed about it. */
export function makeSignIn(dependencies: SignInDependencies) {
  const { config, logger, accounts, options, users, tokens, logs, inTransaction, codes, tickets } = dependencies;
  const { factors, sessions, box } = dependencies;
  const home = new HomeAddress(options, config.publicUrl);
  const visitors = new VisitorCheck(options, new Turnstile(options, tickets, config.providerUrls));
  const mails = new MailQueue({
    send: (mail) => sendMail(options.values, mail),
    onFailure: (error, willRetry) => logger.error({ err: error, willRetry }, 'a mail could not be sent'),
  });
  const mail = new MailService(options, mails);
  const limits = new LoginLimits(config.rateLimits);
  const bindings = new BindingService({
    users,
    codes,
    knownIdentities: dependencies.knownIdentities,
    logs,
    inTransaction,
    hasPasskey: async (transaction, userId) =>
      (await dependencies.passkeys.within(transaction).ofUser(userId)).length > 0,
  });
  const passkeys = new PasskeyService({
    passkeys: dependencies.passkeys,
    users,
    tickets,
    options,
    logs,
    home,
    inTransaction,
  });
  const secondFactor = new SecondFactorService({ factors, users, tickets, limits, options, logs, box, inTransaction });
  return {
    mails,
    mail,
    home,
    bindings,
    passkeys,
    secondFactor,
    notifier: new NotifierService({
      options,
      mail,
      users,
      onFailure: (error) => logger.error({ err: error }, 'a notice could not be sent'),
    }),
    login: new LoginService({ users, options, limits, sessions, visitors }),
    proofs: new ProofService({ sessions, secondFactor, limits }),
    secondFactorReset: new SecondFactorResetService({ users, secondFactor, passkeys, sessions, logs, inTransaction }),
    registration: new RegistrationService({ accounts, options, inTransaction, visitors, emailCodes: codes }),
    emailCodes: new EmailCodeService({ codes, mail, options, users, visitors }),
    passwordReset: new PasswordResetService({ codes, mail, users, tokens, logs, visitors, inTransaction, home }),
    providerLogin: new ProviderLoginService({
      providers: {
        github: github(options, config.providerUrls),
        lark: lark(options, home, config.providerUrls),
        oidc: oidc(options, home),
        wechat: wechat(options, tickets),
      },
      options,
      tickets,
      users,
      accounts,
      bindings,
      inTransaction,
      onFailure: (provider, error) => logger.warn({ provider, reason: error.message }, 'a sign-in elsewhere failed'),
    }),
  };
}
