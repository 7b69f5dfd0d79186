import { Turnstile } from '../accounts/bot-check/turnstile.ts';
import { VisitorCheck } from '../accounts/bot-check/visitor-check.ts';
import { PasskeyRepository } from '../accounts/passkeys/passkey-repository.ts';
import { PasskeyService } from '../accounts/passkeys/passkey-service.ts';
import { EmailCodeService } from '../accounts/registration/email-code-service.ts';
import { PasswordResetService } from '../accounts/registration/password-reset-service.ts';
import { RegistrationService } from '../accounts/registration/registration-service.ts';
import { SecondFactorRepository } from '../accounts/second-factor/second-factor-repository.ts';
import { SecondFactorResetService } from '../accounts/second-factor/second-factor-reset-service.ts';
import { SecondFactorService } from '../accounts/second-factor/second-factor-service.ts';
import { BindingService } from '../accounts/sign-in/binding-service.ts';
import { github } from '../accounts/sign-in/github.ts';
import { lark } from '../accounts/sign-in/lark.ts';
import { LoginService } from '../accounts/sign-in/login-service.ts';
import { oidc } from '../accounts/sign-in/oidc.ts';
import { ProofService } from '../accounts/sign-in/proof-service.ts';
import { ProviderLoginService } from '../accounts/sign-in/provider-login-service.ts';
import { wechat } from '../accounts/sign-in/wechat.ts';
import { CodeRepository } from '../platform/codes/code-repository.ts';
import { CodeService } from '../platform/codes/code-service.ts';
import { HomeAddress } from '../platform/options/home-address.ts';
import { LoginLimits } from '../platform/rate-limits/login-limits.ts';
import { TicketRepository } from '../platform/tickets/ticket-repository.ts';
import { TicketService } from '../platform/tickets/ticket-service.ts';
import type { AccountServices } from './account-services.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';
import { makeMailServices } from './mail-services.ts';

export type SignInServices = ReturnType<typeof makeSignInServices>;

/** Every way into an account, and what is mailed about it. */
export function makeSignInServices(app: AppContext, core: CoreServices, people: AccountServices) {
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
  { config, logger }: AppContext,
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
