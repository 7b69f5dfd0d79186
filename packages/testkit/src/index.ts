export { type Answer, ApiClient, ApiFailure, type ApiInput, type SendOptions } from './api-client.ts';
export { CookieJar } from './cookie-jar.ts';
