import { defaultGroup, splitCommas } from '@headgate/contract';
import { Badge } from '@mantine/core';
import styles from './group-labels.module.css';

/** Groups as badges; an empty list means the default group. */
export function GroupLabels({ groups }: { readonly groups: string }) {
  const names = splitCommas(groups || defaultGroup);
  return (
    <span className={styles['groups']} data-words={names.join(', ')}>
      {names.map((name) => (
        <Badge key={name} variant="default" miw="max-content" tt="none" fw={400} radius="sm">
          {name}
        </Badge>
      ))}
    </span>
  );
}
