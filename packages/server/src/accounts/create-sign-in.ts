import type { Platform } from '../platform/create-platform.ts';
import type { UserRow } from '../platform/db/rows.ts';
import type { ProviderUrls } from '../platform/outgoing/provider-urls.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BotCheckService, Turnstile } from './bot-check/turnstile.ts';
import type { AccountServices } from './create-account-services.ts';
import { PasskeyRepository } from './passkeys/passkey-repository.ts';
import { PasskeyService } from './passkeys/passkey-service.ts';
import { EmailCodeService } from './registration/email-code-service.ts';
import { PasswordResetService } from './registration/password-reset-service.ts';
import { RegistrationService } from './registration/registration-service.ts';
import { SecondFactorRepository } from './second-factor/second-factor-repository.ts';
import { SecondFactorResetService } from './second-factor/second-factor-reset-service.ts';
import { SecondFactorService } from './second-factor/second-factor-service.ts';
import { BindingService } from './sign-in/binding-service.ts';
import { LoginService } from './sign-in/login-service.ts';
import { github, lark, wechat } from './sign-in/oauth-providers.ts';
import { oidc } from './sign-in/oidc.ts';
import { ProviderLoginService } from './sign-in/provider-login-service.ts';
import { ReauthService } from './sign-in/reauth-service.ts';
import type { SsoSignInService } from './sso/sso-sign-in-service.ts';

export interface SignInSettings {
  readonly passwordKib: number;
  readonly providerUrls: ProviderUrls;
}

interface SignInDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  readonly config: SignInSettings;
  readonly accounts: AccountServices;
  readonly sso: Pick<SsoSignInService, 'requireNone'>;
}

/** All sign-in methods and registration. */
export function createSignIn({ platform, logs, config, accounts: people, sso }: SignInDependencies) {
  const { database, options, inTransaction, box, codes, tickets, homeAddress: home, mail } = platform;
  const { accounts, users, sessions } = people;
  const visitors = new BotCheckService(options, new Turnstile(options, tickets, config.providerUrls));
  const limits = platform.loginLimits;
  const requireNoSso = (user: UserRow) => sso.requireNone(user);
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
    requireNoSso,
  });
  const factors = new SecondFactorRepository(database);
  const secondFactor = new SecondFactorService({ factors, users, tickets, limits, options, logs, box, inTransaction });
  return {
    visitors,
    bindings,
    passkeys,
    secondFactor,
    login: new LoginService({ users, options, limits, sessions, visitors, requireNoSso }),
    proofs: new ReauthService({ sessions, secondFactor, limits }),
    secondFactorReset: new SecondFactorResetService({ users, secondFactor, passkeys, sessions, logs, inTransaction }),
    registration: new RegistrationService({
      accounts,
      options,
      inTransaction,
      visitors,
      emailCodes: codes,
      users,
    }),
    emailCodes: new EmailCodeService({ codes, mail, options, users, visitors }),
    passwordReset: new PasswordResetService({ codes, mail, users, logs, visitors, inTransaction, home }),
    providerLogin: createProviderLogin(platform, config, { users, accounts, bindings, requireNoSso }),
  };
}

interface ProviderLoginDependencies extends Pick<AccountServices, 'users' | 'accounts'> {
  readonly bindings: BindingService;
  readonly requireNoSso: (user: UserRow) => Promise<void>;
}

function createProviderLogin(
  { options, inTransaction, tickets, homeAddress: home, logger }: Platform,
  config: SignInSettings,
  { users, accounts, bindings, requireNoSso }: ProviderLoginDependencies,
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
    requireNoSso,
    inTransaction,
    onFailure: (provider, error) => logger.warn({ provider, reason: error.message }, 'login through a provider failed'),
  });
}
