import { type ChannelType, channelType } from '@headgate/contract';
import { useWords } from '../../i18n/translate.ts';
import styles from './channel.module.css';

/** The name of a channel type beside a mark in its colour; a type this release does not know shows its number. */
export function ChannelTypeLabel({ id }: { readonly id: number }) {
  const { label } = useWords();
  const type = channelType(id);
  return (
    <span className={styles['type']} data-color={type?.color ?? 'gray'}>
      <ChannelTypeMark type={type} />
      {type ? label(type.name) : id}
    </span>
  );
}

/** Square, so that it is not taken for a status. */
export function ChannelTypeMark({ type }: { readonly type: ChannelType | undefined }) {
  const color = type?.color ?? 'gray';
  return (
    <span
      className={styles['mark']}
      style={{
        // The library's dark is the page itself in the dark scheme.
        backgroundColor:
          color === 'dark'
            ? 'light-dark(var(--mantine-color-dark-6), var(--mantine-color-dark-1))'
            : `var(--mantine-color-${color}-6)`,
      }}
      aria-hidden
    />
  );
}
