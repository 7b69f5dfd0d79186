export { AlertReceivers, type ReceivedAlert, receiverSecrets } from './alert-receivers.ts';
export { type Answer, ApiClient, type SendOptions } from './api-client.ts';
export { bundledProgram, compileCache } from './bundled-program.ts';
export {
  createChannel,
  createManyChannels,
  findChannel,
  findChannels,
  listedChannels,
  removeAllChannels,
} from './channels.ts';
export { CookieJar } from './cookie-jar.ts';
export { LoginProviders, type ProviderPerson, providerClient, wechatToken } from './login-providers.ts';
export { MailBox, type ReceivedMail } from './mail-box.ts';
export { makeSessionsOld } from './old-sessions.ts';
export {
  type Account,
  asRoot,
  clientOf,
  createPerson,
  freshName,
  type Person,
  rootAccount,
  setOption,
} from './people.ts';
export { type Recording, recordingsOf } from './recordings.ts';
export { silentWav } from './sample-sound.ts';
export { seedLogs } from './seed-logs.ts';
export { SoftAuthenticator } from './soft-authenticator.ts';
export { createSpender, type Spender } from './spender.ts';
export { type Gateway, startGateway } from './start-gateway.ts';
export { startProgram } from './start-program.ts';
export { foreignCertificate, localCertificate, testAuthority } from './test-certificates.ts';
export { signWithSecret, TokenSigner, unsigned } from './token-signer.ts';
export { recordedAnswer } from './upstreams/recorded-answer.ts';
export { SocketUpstream } from './upstreams/socket-upstream.ts';
export { strictClaude } from './upstreams/strict-claude.ts';
export { reply, type SeenRequest, StubUpstream, stream, type UpstreamAnswer } from './upstreams/stub-upstream.ts';
export {
  chatReply,
  chunk,
  completion,
  done,
  embeddingReply,
  opening,
  pictureUrl,
  piece,
  plainPrice,
  stop,
  usageEvent,
  weatherCall,
  weatherCallChunks,
  weatherTool,
} from './upstreams/upstream-answers.ts';
export { amazonChunk, amazonException, amazonMessage } from './wires/amazon.ts';
export { claudeEvents, claudeMessage } from './wires/anthropic.ts';
export { wires } from './wires/index.ts';
export { ownResponse } from './wires/own-response.ts';
export { sparkSocket } from './wires/spark.ts';
export {
  answerText,
  bearer,
  channelKey,
  dataEvents,
  instruction,
  limit,
  type NamedEvent,
  namedEvents,
  question,
  questionBody,
  tool,
  toolInput,
  type Wire,
} from './wires/wire.ts';
