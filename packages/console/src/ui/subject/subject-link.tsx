import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';

interface SubjectLinkProps {
  readonly kind: 'user' | 'token' | 'channel';
  readonly id: number;
  /** Link text. */
  readonly text: string;
  /** Owner of the token. */
  readonly ownerId?: number | undefined;
  readonly isDeleted?: boolean | undefined;
}

/** Tokens of other users are shown on the owner's page. */
function pageOf({ kind, id, ownerId }: SubjectLinkProps, self: number | undefined): string {
  if (kind === 'channel') return `/channel/view/${id}`;
  if (kind === 'token') return ownerId === self ? `/token/edit/${id}` : `/user/view/${ownerId}`;
  return id === self ? '/setting' : `/user/view/${id}`;
}

/** Link to a user, token or channel. Deleted ones are marked. */
export function SubjectLink(props: SubjectLinkProps) {
  const { t } = useTranslation();
  const self = useUser()?.id;
  if (props.isDeleted)
    return (
      <Text span inherit c="dimmed">
        {props.text} {t('(deleted)')}
      </Text>
    );
  return (
    <Anchor component={Link} to={pageOf(props, self)} inherit>
      {props.text}
    </Anchor>
  );
}
