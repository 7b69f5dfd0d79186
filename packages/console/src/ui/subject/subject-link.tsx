import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useWords } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';

interface SubjectLinkProps {
  readonly kind: 'user' | 'token' | 'channel';
  readonly id: number;
  /** As it is shown. */
  readonly words: string;
  /** Whose token it is. */
  readonly ownerId?: number | undefined;
  readonly isGone?: boolean | undefined;
}

/** The tokens of somebody else are looked at on the page of their owner. */
function pageOf({ kind, id, ownerId }: SubjectLinkProps, self: number | undefined): string {
  if (kind === 'channel') return `/channel/edit/${id}`;
  if (kind === 'token') return ownerId === self ? `/token/edit/${id}` : `/user/view/${ownerId}`;
  return id === self ? '/setting' : `/user/view/${id}`;
}

/** A user, token or channel by its name, which leads there; what is gone says so. */
export function SubjectLink(props: SubjectLinkProps) {
  const { t } = useWords();
  const self = useUser()?.id;
  if (props.isGone)
    return (
      <Text span inherit c="dimmed">
        {props.words} {t('(deleted)')}
      </Text>
    );
  return (
    <Anchor component={Link} to={pageOf(props, self)} inherit>
      {props.words}
    </Anchor>
  );
}
