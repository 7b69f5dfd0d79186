import type { Status, statusApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { ServerIdentity } from './server-identity.ts';

interface StatusRoutesDependencies {
  readonly options: OptionService;
  readonly identity: ServerIdentity;
  readonly hasSso: () => Promise<boolean>;
}

export const statusRoutes = ({ options, identity, hasSso }: StatusRoutesDependencies): Handlers<typeof statusApi> => ({
  status: async () => {
    const values = options.values;
    return {
      version: identity.version,
      start_time: identity.startTime,
      system_name: values.SystemName,
      logo: values.Logo,
      footer_html: values.Footer,
      theme: values.Theme as Status['theme'],
      preset: values.ConsolePreset as Status['preset'],
      server_address: values.ServerAddress || (identity.publicUrl ?? ''),
      top_up_link: values.TopUpLink,
      chat_link: values.ChatLink,
      status_page: values.StatusPageEnabled,
      model_catalog: values.ModelCatalogEnabled,
      quota_per_unit: values.QuotaPerUnit,
      display_in_currency: values.DisplayInCurrencyEnabled,
      password_max_length: values.PasswordMaxLength,
      email_verification: values.EmailVerificationEnabled,
      github_oauth: values.GitHubOAuthEnabled,
      github_client_id: values.GitHubClientId,
      lark_client_id: values.LarkClientId,
      // Browsers bind passkeys to the site's domain, which has to be configured.
      extensions: true,
      passkey_login: Boolean(values.ServerAddress || identity.publicUrl),
      oidc: values.OidcEnabled,
      oidc_client_id: values.OidcClientId,
      wechat_login: values.WeChatAuthEnabled,
      wechat_qrcode: values.WeChatAccountQRCodeImageURL,
      organization_creation: values.OrganizationCreationEnabled,
      sso_login: await hasSso(),
      turnstile_check: values.TurnstileCheckEnabled,
      turnstile_site_key: values.TurnstileSiteKey,
    };
  },
  notice: () => options.values.Notice,
  about: () => options.values.About,
  homePageContent: () => options.values.HomePageContent,
});
