import { signal } from '@preact/signals';
import { Button } from './button';

/** What can be done about what was said. */
interface Remedy {
  readonly label: string;
  readonly run: () => void;
}

const said = signal<{ readonly text: string; readonly remedy: Remedy | undefined } | null>(null);
let timer: ReturnType<typeof setTimeout>;

function waitFor(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => (said.value = null), ms);
}

/** Tells what came of something, in a line that goes away by itself: later where something can be done about it. */
export function announce(text: string, remedy?: Remedy): void {
  said.value = { text, remedy };
  waitFor(remedy ? 10_000 : 6000);
}

/** The one place where that is said. It stays for as long as one points at it, or has the focus in it. */
export function Status() {
  const { text, remedy } = said.value ?? {};
  const stay = () => clearTimeout(timer);
  const leave = () => waitFor(3000);
  return (
    <div class="status" role="status">
      {text && (
        <p onPointerEnter={stay} onPointerLeave={leave} onFocusIn={stay} onFocusOut={leave}>
          {text}
          {remedy && (
            <Button
              kind="quiet"
              onClick={() => {
                said.value = null;
                remedy.run();
              }}
            >
              {remedy.label}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}
