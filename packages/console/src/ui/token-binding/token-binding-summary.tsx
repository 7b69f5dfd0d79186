import { useTranslation } from '../../i18n/translate.ts';
import { useSubjectNames } from '../subject/use-subjects.ts';
import type { Binding } from './token-binding.ts';

/** Channels and tags to which a token is bound; deleted ones are marked. */
export function TokenBindingSummary({ binding: { channels, tags } }: { readonly binding: Binding }) {
  const { t } = useTranslation();
  const names = useSubjectNames('channel', channels).map(({ label }) => label);
  const parts = [...names, ...tags.map((tag) => t('tag {tag}', { tag }))];
  return <>{t('Restricted to {channels}', { channels: parts.join(', ') })}</>;
}
