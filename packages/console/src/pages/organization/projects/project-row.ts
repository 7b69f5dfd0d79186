import type { Budget, Project } from '@headgate/contract';

export interface ProjectRow extends Project {
  /** Enabled budgets, the most used first. */
  readonly budgets: readonly Budget[];
}
