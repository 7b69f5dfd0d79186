import { channelType } from '@headgate/contract';
import { useTranslation } from '../../i18n/translate.ts';
import { ProviderTile } from '../../ui/provider-mark/provider-tile.tsx';
import styles from './channel.module.css';

/** Name and logo of a channel type; unknown types show their number. */
export function ChannelTypeLabel({ id }: { readonly id: number }) {
  const { label } = useTranslation();
  const type = channelType(id);
  return (
    <span className={styles['type']} data-color={type?.color ?? 'gray'}>
      <ProviderTile type={id} />
      {type ? label(type.name) : id}
    </span>
  );
}
