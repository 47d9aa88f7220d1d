import { generate } from 'lean-qr';
import { useMemo } from 'preact/hooks';

/** Cameras need a wide margin. */
const MARGIN = 4;

/** A text as a QR code: dark on light, even in dark mode. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, size } = useMemo(() => {
    const code = generate(text);
    const at = Array.from({ length: code.size }, (_, index) => index);
    const dark = at.flatMap((y) => at.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`));
    return { path: dark.join(''), size: code.size };
  }, [text]);
  const whole = size + 2 * MARGIN;
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`${-MARGIN} ${-MARGIN} ${whole} ${whole}`}>
      <path d={path} shape-rendering="crispEdges" />
    </svg>
  );
}
