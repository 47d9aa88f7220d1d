import { Dialog } from '../parts/dialog';
import { Check } from '../parts/field';
import { lettersWork, setLetters } from './commands';
import * as words from './words';

/** All keys, and a switch for those that are a single one. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={words.keys.title} onClose={onClose}>
      <Check label={words.keys.letters} checked={lettersWork.value} onChecked={setLetters} />
      <dl class="keys">
        {words.keys.list.map(([keys, meaning]) => (
          <div key={keys}>
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
