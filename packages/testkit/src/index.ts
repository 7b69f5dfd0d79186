export {
  type Account,
  asRoot,
  createTestUser,
  rootAccount,
  setOption,
  signedInClient,
  type TestUser,
  uniqueName,
} from './accounts.ts';
export { ageSessions } from './age-sessions.ts';
export { AlertDestinations, destinationSecrets, type ReceivedAlert } from './alert-destinations.ts';
export { ApiClient, type ApiResponse, type SendOptions } from './api-client.ts';
export { bundledProgram, compileCache, shortRunFlags } from './bundled-program.ts';
export {
  createChannel,
  createManyChannels,
  findChannel,
  findChannels,
  listedChannels,
  removeAllChannels,
} from './channels.ts';
export { CookieJar } from './cookie-jar.ts';
export { LoginProviders, type ProviderUser, providerClient, wechatToken } from './login-providers.ts';
export { Mailbox, type ReceivedMail } from './mailbox.ts';
export { epayMerchant, notifyEpay, StubEpay, signEpay } from './payments/stub-epay.ts';
export {
  deliverStripe,
  type SignedEvent,
  StubStripe,
  stripeSecrets,
  stripeSignature,
} from './payments/stub-stripe.ts';
export type { StubSubscription } from './payments/stub-subscriptions.ts';
export { type Recording, recordingsOf } from './recordings.ts';
export { silentWav } from './sample-audio.ts';
export { seedLogs } from './seed-logs.ts';
export { SoftAuthenticator } from './soft-authenticator.ts';
export { createSpender, type Spender } from './spender.ts';
export { type Gateway, startGateway } from './start-gateway.ts';
export { startProgram } from './start-program.ts';
export {
  ipCertificate,
  localCertificate,
  localhostCertificate,
  otherHostCertificate,
  testCertificateAuthority,
} from './test-certificates.ts';
export { signWithSecret, TokenSigner, unsignedToken } from './token-signer.ts';
export { OutboundProxyServer } from './upstreams/outbound-proxy.ts';
export { recordResponse } from './upstreams/recorded-response.ts';
export { SocketUpstream } from './upstreams/socket-upstream.ts';
export { strictClaude } from './upstreams/strict-claude.ts';
export { type ReceivedRequest, reply, StubUpstream, stream, type UpstreamHandler } from './upstreams/stub-upstream.ts';
export {
  chatResponse,
  chunk,
  completion,
  done,
  embeddingResponse,
  imageUrl,
  plainPrice,
  roleChunk,
  stop,
  textChunk,
  usageEvent,
  weatherCall,
  weatherCallChunks,
  weatherTool,
} from './upstreams/upstream-responses.ts';
export { amazonChunk, amazonException, amazonMessage } from './wires/amazon.ts';
export { claudeEvents, claudeMessage } from './wires/anthropic.ts';
export { wires } from './wires/index.ts';
export { nativeResponse } from './wires/native-response.ts';
export { sparkSocket } from './wires/spark.ts';
export {
  bearer,
  channelKey,
  dataEvents,
  instruction,
  limit,
  type NamedEvent,
  namedEvents,
  question,
  requestBody,
  responseText,
  tool,
  toolInput,
  type Wire,
} from './wires/wire.ts';
