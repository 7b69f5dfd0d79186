export { type Answer, ApiClient, ApiFailure, type ApiInput, type SendOptions } from './api-client.ts';
export { CookieJar } from './cookie-jar.ts';
export { LoginProviders, type ProviderPerson, providerClient, wechatToken } from './login-providers.ts';
export { MailBox, type ReceivedMail } from './mail-box.ts';
export { type Recording, recordingsOf } from './recordings.ts';
export { SoftAuthenticator } from './soft-authenticator.ts';
export { type Answer as UpstreamAnswer, reply, type SeenRequest, StubUpstream, stream } from './stub-upstream.ts';
export { foreignCertificate, localCertificate, testAuthority } from './test-certificates.ts';
export { signWithSecret, TokenSigner, unsigned } from './token-signer.ts';
