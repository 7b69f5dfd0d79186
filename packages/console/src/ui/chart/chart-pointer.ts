import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/** Index of the point under the crosshair, and its setter. Shared by charts that show the same crosshair. */
export type ChartCrosshair = readonly [number | undefined, (at: number | undefined) => void];

interface PointerOptions {
  /** Number of points. */
  readonly count: number;
  readonly crosshair: ChartCrosshair | undefined;
  /** Follows a point, or one of its series. */
  readonly onOpen: ((at: number, series: number | undefined) => void) | undefined;
  /** Selects a range of points. */
  readonly onZoom: ((first: number, last: number) => void) | undefined;
}

interface Dragged {
  readonly from: number;
  readonly to: number;
}

/** Crosshair of a chart by pointer and keyboard, and the range selected by dragging. */
export function useChartPointer({ count, crosshair, onOpen, onZoom }: PointerOptions) {
  const own = useState<number>();
  const [pointed, setPointed] = crosshair ?? own;
  const [isHere, setHere] = useState(false);
  const [dragged, setDragged] = useState<Dragged>();
  const at = pointed === undefined ? undefined : Math.min(pointed, count - 1);
  const bounds = dragged && ([Math.min(dragged.from, dragged.to), Math.max(dragged.from, dragged.to)] as const);
  const point = (index: number | undefined) => {
    setPointed(index);
    setHere(index !== undefined);
  };
  const act = (index: number, series?: number) => (onZoom ? onZoom(index, index) : onOpen?.(index, series));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => point(Math.max((at ?? count) - 1, 0)),
    ArrowRight: () => point(Math.min((at ?? count - 2) + 1, count - 1)),
    Home: () => point(0),
    End: () => point(count - 1),
    ...(at !== undefined && { Escape: () => point(undefined), Enter: () => act(at) }),
  };
  return {
    at,
    /** True if the pointer or the focus is in this chart, not in one that shares its crosshair. */
    isHere,
    isChosen: (index: number) => bounds !== undefined && index >= bounds[0] && index <= bounds[1],
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        const index = indexAt(event, count);
        point(index);
        if (!onZoom || event.button !== 0) return;
        event.currentTarget.setPointerCapture?.(event.pointerId);
        setDragged({ from: index, to: index });
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const index = indexAt(event, count);
        point(index);
        if (dragged) setDragged({ ...dragged, to: index });
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        setDragged(undefined);
        if (bounds) onZoom?.(...bounds);
        else if (event.button === 0) onOpen?.(indexAt(event, count), seriesOf(event.target));
      },
      onPointerCancel: () => setDragged(undefined),
      onPointerLeave: () => point(undefined),
      onFocus: ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
        if (currentTarget.matches(':focus-visible')) point(at ?? count - 1);
      },
      onBlur: () => point(undefined),
      onKeyDown: (event: KeyboardEvent) => {
        const move = keys[event.key];
        if (!move || event.metaKey || event.ctrlKey || event.altKey) return;
        event.preventDefault();
        event.stopPropagation();
        move();
      },
    },
  };
}

function indexAt(event: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const share = width === 0 ? 0 : (event.clientX - left) / width;
  return Math.min(Math.max(Math.floor(share * count), 0), count - 1);
}

function seriesOf(target: EventTarget): number | undefined {
  const name = (target as HTMLElement).dataset['series'];
  return name === undefined ? undefined : Number(name);
}
