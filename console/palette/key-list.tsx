import { Dialog } from '../parts/dialog';
import { Check } from '../parts/field';
import { KEYS, type Command } from './keys';
import { lettersWork, setLetters } from './letters';
import * as words from './words';

/** A key as labeled on keyboards. */
function shown(key: string): string {
  const names: Readonly<Record<string, string>> = words.keys.names;
  return key
    .split(/(?<=.)\+/)
    .map(
      (part) =>
        names[part] ?? (/^[A-Z]$/.test(part) ? `${words.keys.names.Shift}+${part}` : part.toUpperCase()),
    )
    .join('+');
}

/** Keys by command. */
function byCommand(): Map<Command, string[]> {
  const found = new Map<Command, string[]>();
  for (const [command, keys] of KEYS) found.set(command, [...(found.get(command) ?? []), ...keys.map(shown)]);
  return found;
}

/** Lists all shortcuts, with a switch for single-letter ones. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const lines = [...byCommand()].map(
    ([command, keys]) => [words.keys.or(keys), words.keys.commands[command]] as const,
  );
  return (
    <Dialog title={words.keys.title} onClose={onClose}>
      <Check label={words.keys.letters} checked={lettersWork.value} onChecked={setLetters} />
      <dl class="keys">
        {[...lines, ...words.keys.writing].map(([keys, meaning]) => (
          <div key={meaning}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
