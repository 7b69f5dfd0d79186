import type { Data, Endpoint, Input } from '@headgate/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { CallOptions } from '../../lib/api/call.ts';
import {
  editQuery,
  ifMatch,
  isEditConflict,
  type ReadResource,
  readForEditWithParts,
} from '../../lib/api/edit-call.ts';
import { CallFailure } from '../../lib/api/failure.ts';
import type { ConflictChoice } from './conflict-dialog.tsx';
import type { LogFilters } from './last-change.ts';

const ChangedQuestion = lazy(async () => ({ default: (await import('./conflict-dialog.tsx')).ConflictDialog }));

/** A resource that is being edited. */
export interface Edit<Resource, Parts = unknown> {
  readonly thing: Resource;
  /** Other resources that the form edits together with this one; undefined if they could not be read. */
  readonly parts: Parts | undefined;
  /**
   * Saves with these call options. On a conflict, the user chooses to overwrite or to cancel; the form keeps its input
   * either way.
   */
  readonly save: <Result>(change: (options: CallOptions) => Promise<Result>) => Promise<Result>;
  /** Reads the resource again after a save, if the form stays open. */
  readonly refresh: () => Promise<void>;
}

interface FormOf<Resource, Parts> {
  /** Fields shown in the form. Conflicts in other fields are resolved without confirmation. */
  readonly shown: (resource: Resource, parts: Parts | undefined) => unknown;
  /** Log filters that find the last change; absent if it is not logged. */
  readonly history?: ((resource: Resource) => LogFilters) | undefined;
  readonly children: (edit: Edit<Resource, Parts>) => ReactNode;
}

interface EditResourceProps<E extends Endpoint, Parts> extends FormOf<Data<E>, Parts> {
  /** Endpoint that returns the resource with its ETag. */
  readonly endpoint: E;
  readonly input: Input<E>;
  /** Reads the other resources that the ETag covers. */
  readonly readParts?: (() => Promise<Parts | undefined>) | undefined;
  /** Shown while the resource is loading or after an error. */
  readonly loading: (error: Error | null, onRetry: () => void) => ReactNode;
}

/** Loads a resource with its ETag and renders its form. Used by every form with conflict detection. */
export function EditResource<E extends Endpoint, Parts = undefined>({
  endpoint,
  input,
  readParts,
  loading,
  ...form
}: EditResourceProps<E, Parts>) {
  const { data, error, refetch } = useQuery(editQuery(endpoint, input, readParts));
  const [round, setRound] = useState(0);
  if (!data) return loading(error, () => void refetch());
  const reload = async () => {
    await refetch();
    setRound(round + 1);
  };
  return (
    <OpenForm
      key={round}
      {...form}
      read={data}
      readAgain={() => readForEditWithParts(endpoint, input, readParts)}
      onRefresh={async () => void (await refetch())}
      onReload={() => void reload()}
    />
  );
}

interface EditResourceInDialogProps<E extends Endpoint> extends Omit<EditResourceProps<E, undefined>, 'loading'> {
  /** Called if the resource cannot be read, after the error has been shown. */
  readonly onFailed: () => void;
}

/** Variant for a form in a dialog, which opens once the resource has loaded. */
export function EditResourceInDialog<E extends Endpoint>({ onFailed, ...props }: EditResourceInDialogProps<E>) {
  return <EditResource {...props} loading={(error) => error && <Failed onFailed={onFailed} />} />;
}

function Failed({ onFailed }: { readonly onFailed: () => void }) {
  const onShown = useEffectEvent(onFailed);
  useEffect(() => onShown(), []);
  return null;
}

interface OpenFormProps<Resource, Parts> extends FormOf<Resource, Parts> {
  readonly read: ReadResource<Resource, Parts>;
  readonly readAgain: () => Promise<ReadResource<Resource, Parts>>;
  readonly onRefresh: () => Promise<void>;
  readonly onReload: () => void;
}

/** Maximum automatic retries in a row, after which the user must decide. */
const maxAutomaticRetries = 3;

function OpenForm<Resource, Parts>({
  read,
  readAgain,
  onRefresh,
  onReload,
  shown,
  history,
  children,
}: OpenFormProps<Resource, Parts>) {
  const known = useRef(read);
  useEffect(() => {
    known.current = read;
  }, [read]);
  const [openedAt] = useState(() => Math.floor(Date.now() / 1000));
  const [ask, setAsk] = useState<{ readonly answer: (response: ConflictChoice) => void }>();
  const askPerson = async (): Promise<ConflictChoice> => {
    const response = await new Promise<ConflictChoice>((resolve) => setAsk({ answer: resolve }));
    setAsk(undefined);
    return response;
  };
  const save = async <Result,>(
    change: (options: CallOptions) => Promise<Result>,
    automaticRetries = maxAutomaticRetries,
  ): Promise<Result> => {
    try {
      return await change(ifMatch(known.current));
    } catch (error) {
      if (!isEditConflict(error)) throw error;
    }
    const now = await readAgain();
    const shownIn = ({ thing, parts }: ReadResource<Resource, Parts>) => JSON.stringify(shown(thing, parts));
    const isSame = shownIn(now) === shownIn(known.current);
    const response = isSame && automaticRetries > 0 ? 'overwrite' : await askPerson();
    if (response === 'reload') onReload();
    if (response !== 'overwrite') throw new CallFailure('givenUp', 0, '');
    known.current = now;
    return save(change, automaticRetries - 1);
  };
  return (
    <>
      {children({ thing: read.thing, parts: read.parts, save: (change) => save(change), refresh: onRefresh })}
      {ask && (
        <Suspense>
          <ChangedQuestion
            history={history && { ...history(read.thing), start_timestamp: openedAt }}
            onAnswer={ask.answer}
          />
        </Suspense>
      )}
    </>
  );
}
