import { translate } from '../../i18n/translate.ts';
import { currentUser, expireSession } from '../account/session.ts';
import { type MessageKind, showMessage } from '../page/messages.ts';
import { CallFailure, isFromProxy } from './failure.ts';
import { logged } from './log-failure.ts';

/** What the specification says for these two, in its own Chinese; other languages get their words below. */
const busy = '错误：请求次数过多，请稍后再试！';
const broken = '错误：服务器内部错误，请联系管理员！';

/** Tells the person what went wrong: the one table from failures to messages; `headline` says first what failed. */
export function reportFailure(error: unknown, headline?: string): void {
  const say = (kind: MessageKind, ...lines: [string, ...string[]]) =>
    headline ? showMessage(kind, headline, lines.join('\n')) : showMessage(kind, ...lines);
  if (!(error instanceof CallFailure)) {
    logged(error);
    say('error', `错误：${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  if (isKnown(error)) return;
  const { kind, status, message } = error;
  if (kind === 'refused') say('error', message);
  else if (status === 401) expireSession(message);
  else if (status === 429) say('error', busy, translate('Too many requests, please try again later.'));
  else if (status === 500) say('error', broken, translate('Internal server error, please contact the administrator.'));
  else if (status === 405) say('info', translate('This site is a demo only and has no server'));
  else if (isFromProxy(status)) say('error', `错误：${message}`, translate('The gateway is not reachable.'));
  else say('error', `错误：${message}`);
}

/** The first call that found the session ended has told so, for all that were on their way; who gave up knows it. */
const isKnown = ({ kind, status, wasSignedIn }: CallFailure): boolean =>
  kind === 'givenUp' || (status === 401 && wasSignedIn && !currentUser());
