import { Fragment, type ReactNode } from 'react';
import drawer from './log-drawer.module.css';

interface SectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function Section({ title, children }: SectionProps) {
  return (
    <section className={drawer['section']}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Label-value pairs; empty values are omitted. */
export function DetailList({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const shown = facts.filter(([, value]) => value !== '' && value !== undefined && value !== false);
  return (
    <dl className={drawer['facts']}>
      {shown.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
