import { signal } from '@preact/signals';
import { Button } from './button';

/** What can be done about something that was just told, such as taking it back. */
interface Answer {
  readonly label: string;
  readonly run: () => void;
}

const said = signal<{ readonly text: string; readonly answer: Answer | undefined } | null>(null);
let timer: ReturnType<typeof setTimeout>;

const SHOWN_MS = 6000;
/** Longer, as one has to find the button. */
const ANSWERED_MS = 10_000;

/** Tells what came of something, in a line that goes away by itself. */
export function announce(text: string, answer?: Answer): void {
  said.value = { text, answer };
  clearTimeout(timer);
  timer = setTimeout(() => (said.value = null), answer ? ANSWERED_MS : SHOWN_MS);
}

/** The one place where that is said. */
export function Status() {
  if (!said.value) return <div class="status" role="status" />;
  const { text, answer } = said.value;
  return (
    <div class="status" role="status">
      <p>
        {text}
        {answer && (
          <Button
            onClick={() => {
              said.value = null;
              answer.run();
            }}
          >
            {answer.label}
          </Button>
        )}
      </p>
    </div>
  );
}
