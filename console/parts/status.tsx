import { signal } from '@preact/signals';
import { Button } from './button';

/** An action offered with a message. */
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

/** Shows a message that disappears by itself, later if it offers an action. */
export function announce(text: string, remedy?: Remedy): void {
  said.value = { text, remedy };
  waitFor(remedy ? 10_000 : 6000);
}

/** Shows the announced message. It stays while it is hovered or contains the focus. */
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
