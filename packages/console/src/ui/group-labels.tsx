import { defaultGroup, splitCommas } from '@headgate/contract';
import { Badge } from '@mantine/core';
import styles from './group-labels.module.css';

interface GroupLabelsProps {
  readonly groups: string;
  /** Text instead of badges, for a narrow column. */
  readonly isPlain?: true;
}

/** Groups as badges; an empty list means the default group. */
export function GroupLabels({ groups, isPlain }: GroupLabelsProps) {
  const names = splitCommas(groups || defaultGroup);
  return (
    <span className={styles[isPlain ? 'names' : 'groups']} data-words={names.join(', ')}>
      {names.map((name) =>
        isPlain ? (
          <span key={name}>{name}</span>
        ) : (
          <Badge key={name} variant="default" miw="max-content" tt="none" fw={400} radius="sm">
            {name}
          </Badge>
        ),
      )}
    </span>
  );
}
