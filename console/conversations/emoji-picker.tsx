import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog';
import { Emoji, findEmoji, loadEmoji, type EmojiId } from '../parts/emoji';
import { TextField } from '../parts/field';
import * as words from '../words';

const common = (emoji_name: string, emoji_code: string): EmojiId => ({
  emoji_name,
  emoji_code,
  reaction_type: 'unicode_emoji',
});

/** What people react with most. */
const COMMON = [
  common('+1', '1f44d'),
  common('tada', '1f389'),
  common('heart', '2764'),
  common('smile', '1f642'),
  common('working_on_it', '1f6e0'),
  common('octopus', '1f419'),
  common('eyes', '1f440'),
  common('check', '2705'),
];

interface PickerProperties {
  readonly onChoose: (id: EmojiId) => void;
  readonly onClose: () => void;
}

/** Finds an emoji by its name. */
export function EmojiPicker({ onChoose, onClose }: PickerProperties) {
  const [text, setText] = useState('');
  useEffect(() => void loadEmoji(), []);
  const found = text === '' ? COMMON : findEmoji(text, 48);
  return (
    <Dialog title={words.conversations.react} onClose={onClose}>
      <form
        onSubmit={() => {
          if (found[0]) onChoose(found[0]);
        }}
      >
        <TextField label={words.conversations.emojiName} value={text} onValue={setText} autocomplete="off" />
      </form>
      <ul class="emoji-list">
        {found.map((id) => (
          <li key={id.emoji_name}>
            <button
              aria-label={id.emoji_name.replaceAll('_', ' ')}
              title={id.emoji_name}
              onClick={() => onChoose(id)}
            >
              <Emoji id={id} />
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="empty">{words.conversations.noEmoji}</p>}
    </Dialog>
  );
}
