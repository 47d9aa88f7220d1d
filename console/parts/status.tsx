import { signal } from '@preact/signals';

const said = signal('');
let timer: ReturnType<typeof setTimeout>;

/** Tells what came of something, in a line that goes away by itself. */
export function announce(text: string): void {
  said.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => (said.value = ''), 6000);
}

/** The one place where that is said. */
export function Status() {
  return (
    <div class="status" role="status">
      {said.value && <p>{said}</p>}
    </div>
  );
}
