import { translate } from '../../i18n/translate.ts';
import { currentUser, expireSession } from '../account/session.ts';
import { type MessageKind, showMessage } from '../page/messages.ts';
import { CallFailure, isProxyError } from './failure.ts';
import { logFailure } from './log-failure.ts';

/** Chinese messages quoted by the specification; other languages are handled below. */
const tooManyRequests = '错误：请求次数过多，请稍后再试！';
const internalError = '错误：服务器内部错误，请联系管理员！';

/** Shows a message for a failure. `headline` names the operation that failed. */
export function reportFailure(error: unknown, headline?: string): void {
  const say = (kind: MessageKind, ...lines: [string, ...string[]]) =>
    headline ? showMessage(kind, headline, lines.join('\n')) : showMessage(kind, ...lines);
  if (!(error instanceof CallFailure)) {
    logFailure(error);
    say('error', `错误：${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  if (needsNoMessage(error)) return;
  const { kind, status, message } = error;
  if (kind === 'refused') say('error', message);
  else if (status === 401) expireSession(message);
  else if (status === 429) say('error', tooManyRequests, translate('Too many requests, please try again later.'));
  else if (status === 500)
    say('error', internalError, translate('Internal server error, please contact the administrator.'));
  else if (status === 405) say('info', translate('This site is a demo only and has no server'));
  else if (isProxyError(status)) say('error', `错误：${message}`, translate('The gateway is not reachable.'));
  else say('error', `错误：${message}`);
}

/**
 * Failures that need no message: an expired session was already reported by the first failed call, and canceled calls
 * are intentional.
 */
const needsNoMessage = ({ kind, status, wasSignedIn }: CallFailure): boolean =>
  kind === 'givenUp' || (status === 401 && wasSignedIn && !currentUser());
