import { awaited } from '../parts/lazy';
import { focused } from './steps';
import { KEYS, type When } from './keys';
import { lettersWork } from './letters';

/** The name of a key in the table. For characters, Shift is implied. */
function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const isCharacter = key.length === 1;
  const held = [
    (ctrlKey || metaKey) && 'Ctrl+',
    altKey && 'Alt+',
    shiftKey && !isCharacter && 'Shift+',
    ctrlKey || metaKey ? key.toLowerCase() : key,
  ];
  return held.filter(Boolean).join('');
}

const WHEN: Readonly<Record<When, () => boolean>> = {
  anywhere: () => true,
  item: () => focused() !== null,
  message: () => focused()?.matches('.message') ?? false,
};

/** Whether a key writes a character without modifiers. */
const isLetter = (name: string) => [...name].length === 1;

/** Moves the focus from the messages to the composer when the user types and single-letter shortcuts are off. */
function writeOn(target: Element, name: string): void {
  if (!isLetter(name) || name === ' ' || !target.closest('.log')) return;
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

/** Handles the shortcuts of the table while the page is open. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || awaited.count > 0) return;
    const target = event.target as Element;
    const name = nameOf(event);
    const isWritten = target.closest('input, textarea, select, dialog, [popover]') !== null;
    const isWindow = document.querySelector('dialog[open]') !== null;
    // In text fields, only shortcuts that write nothing.
    if (isWritten && (isWindow || !/^(Ctrl\+[k.]|Alt\+.*|(Shift\+)?F6)$/.test(name))) return;
    if (isLetter(name) && !lettersWork.value) return writeOn(target, name);
    // Enter on a button within a message activates the button.
    if (name === 'Enter' && !target.matches('.message')) return;
    if (
      KEYS.some(([, keys, when, run]) => (keys as readonly string[]).includes(name) && WHEN[when]() && run())
    )
      event.preventDefault();
  });
}
