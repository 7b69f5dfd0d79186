export { type Answer, ApiClient, ApiFailure, type ApiInput, type SendOptions } from './api-client.ts';
export { CookieJar } from './cookie-jar.ts';
export { MailBox, type ReceivedMail } from './mail-box.ts';
export { type Answer as UpstreamAnswer, reply, type SeenRequest, StubUpstream, stream } from './stub-upstream.ts';
