const WIDTH = 120;
const HEIGHT = 24;

/** A small line chart, newest value last. The number next to it gives the value to screen readers. */
export function Spark({ figures }: { readonly figures: readonly number[] }) {
  const most = Math.max(1e-9, ...figures);
  const step = WIDTH / Math.max(1, figures.length - 1);
  const points = figures.map((each, at) => `${at * step},${HEIGHT - 1 - (each / most) * (HEIGHT - 2)}`);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

/** A bar that shows a part of a whole. */
export function Bar({ part, whole }: { readonly part: number; readonly whole: number }) {
  const width = whole > 0 ? Math.max(1, (part / whole) * WIDTH) : 0;
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} 8`} aria-hidden="true">
      <rect class="whole" width={WIDTH} height="8" rx="4" />
      <rect width={width} height="8" rx="4" />
    </svg>
  );
}
