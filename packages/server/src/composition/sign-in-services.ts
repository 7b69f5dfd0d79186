import { Turnstile } from '../bot-check/turnstile.ts';
import { VisitorCheck } from '../bot-check/visitor-check.ts';
import { CodeRepository } from '../codes/code-repository.ts';
import { CodeService } from '../codes/code-service.ts';
import { LoginLimits } from '../limits/login-limits.ts';
import { BindingService } from '../login/binding-service.ts';
import { github } from '../login/github.ts';
import { lark } from '../login/lark.ts';
import { LoginService } from '../login/login-service.ts';
import { oidc } from '../login/oidc.ts';
import { ProofService } from '../login/proof-service.ts';
import { ProviderLoginService } from '../login/provider-login-service.ts';
import { wechat } from '../login/wechat.ts';
import { HomeAddress } from '../options/home-address.ts';
import { PasskeyRepository } from '../passkeys/passkey-repository.ts';
import { PasskeyService } from '../passkeys/passkey-service.ts';
import { EmailCodeService } from '../registration/email-code-service.ts';
import { PasswordResetService } from '../registration/password-reset-service.ts';
import { RegistrationService } from '../registration/registration-service.ts';
import { SecondFactorRepository } from '../second-factor/second-factor-repository.ts';
import { SecondFactorResetService } from '../second-factor/second-factor-reset-service.ts';
import { SecondFactorService } from '../second-factor/second-factor-service.ts';
import { TicketRepository } from '../tickets/ticket-repository.ts';
import { TicketService } from '../tickets/ticket-service.ts';
import type { AccountServices } from './account-services.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';
import { makeMailServices } from './mail-services.ts';

export type SignInServices = ReturnType<typeof makeSignInServices>;

/** Every way into an account, and what is mailed about it. */
export function makeSignInServices(app: AppDependencies, core: CoreServices, people: AccountServices) {
  const { config, database } = app;
  const { options, logs, inTransaction, box } = core;
  const { accounts, users, sessions } = people;
  const codes = new CodeService(new CodeRepository(database), box);
  const tickets = new TicketService(new TicketRepository(database), box);
  const home = new HomeAddress(options, config.publicUrl);
  const visitors = new VisitorCheck(options, new Turnstile(options, tickets, config.providerUrls));
  const mailing = makeMailServices(app, options, users);
  const { mail } = mailing;
  const limits = new LoginLimits(config.rateLimits, core.countsFor);
  const passkeyRepository = new PasskeyRepository(database);
  const bindings = new BindingService({
    users,
    codes,
    knownIdentities: people.knownIdentities,
    logs,
    inTransaction,
    hasPasskey: async (transaction, userId) => (await passkeyRepository.within(transaction).ofUser(userId)).length > 0,
  });
  const passkeys = new PasskeyService({
    passkeys: passkeyRepository,
    users,
    tickets,
    options,
    logs,
    home,
    inTransaction,
  });
  const factors = new SecondFactorRepository(database);
  const secondFactor = new SecondFactorService({ factors, users, tickets, limits, options, logs, box, inTransaction });
  return {
    ...mailing,
    home,
    bindings,
    passkeys,
    secondFactor,
    login: new LoginService({ users, options, limits, sessions, visitors }),
    proofs: new ProofService({ sessions, secondFactor, limits }),
    secondFactorReset: new SecondFactorResetService({ users, secondFactor, passkeys, sessions, logs, inTransaction }),
    registration: new RegistrationService({
      accounts,
      options,
      inTransaction,
      visitors,
      emailCodes: codes,
      passwordKib: config.passwordKib,
    }),
    emailCodes: new EmailCodeService({ codes, mail, options, users, visitors }),
    passwordReset: new PasswordResetService({ codes, mail, users, logs, visitors, inTransaction, home }),
    providerLogin: makeProviderLogin(app, core, { tickets, users, accounts, bindings, home }),
  };
}

interface ProviderLoginNeeds extends Pick<AccountServices, 'users' | 'accounts'> {
  readonly tickets: TicketService;
  readonly bindings: BindingService;
  readonly home: HomeAddress;
}

function makeProviderLogin(
  { config, logger }: AppDependencies,
  { options, inTransaction }: CoreServices,
  { tickets, users, accounts, bindings, home }: ProviderLoginNeeds,
): ProviderLoginService {
  return new ProviderLoginService({
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
  });
}
