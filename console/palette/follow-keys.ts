import { awaited } from '../parts/lazy';
import { focused } from './steps';
import { KEYS, type When } from './keys';
import { lettersWork } from './letters';

/** A key as the table names it. Characters say by themselves whether Shift is held down. */
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

/** Whether a key alone writes a character. */
const isLetter = (name: string) => [...name].length === 1;

/** Has what is typed beside a message go to where one writes, where letters do nothing else. */
function writeOn(target: Element, name: string): void {
  if (!isLetter(name) || name === ' ' || !target.closest('.log')) return;
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

/** Has keys do what the table says, for as long as the page is open. */
export function followKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || awaited.count > 0) return;
    const target = event.target as Element;
    const name = nameOf(event);
    const isWritten = target.closest('input, textarea, select, dialog, [popover]') !== null;
    const isWindow = document.querySelector('dialog[open]') !== null;
    // While one writes, only keys that write nothing.
    if (isWritten && (isWindow || !/^(Ctrl\+[k.]|Alt\+.*|(Shift\+)?F6)$/.test(name))) return;
    if (isLetter(name) && !lettersWork.value) return writeOn(target, name);
    // With a button of the message, it is meant for that.
    if (name === 'Enter' && !target.matches('.message')) return;
    if (
      KEYS.some(([, keys, when, run]) => (keys as readonly string[]).includes(name) && WHEN[when]() && run())
    )
      event.preventDefault();
  });
}
