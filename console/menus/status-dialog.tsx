import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import { myId, statuses } from '../connection/state';
import { EmojiPicker } from '../emoji';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Emoji, type EmojiId } from '../parts/emoji';
import { TextField } from '../parts/field';
import { Icon } from '../parts/icon';
import { useTask } from '../parts/task';
import { cancel, save } from '../words';
import { statusOf } from '../parts/person';
import { status as words } from './words';

/** The server's maximum length of statuses. */
const LONGEST = 60;

const preset = (emoji_name: string, emoji_code: string, text: string) => ({
  text,
  emoji: { emoji_name, emoji_code, reaction_type: 'unicode_emoji' } satisfies EmojiId as EmojiId,
});

const PRESETS = [
  preset('calendar', '1f4c5', words.presets.meeting),
  preset('bus', '1f68c', words.presets.commuting),
  preset('house', '1f3e0', words.presets.remote),
  preset('hurt', '1f915', words.presets.sick),
  preset('palm_tree', '1f334', words.presets.vacation),
];

/** Sets the user's status: a few words and an emoji. */
export function StatusDialog({ onClose }: { readonly onClose: () => void }) {
  const now = statuses.value.get(myId.value);
  const [text, setText] = useState(now?.status_text ?? '');
  const [emoji, setEmoji] = useState<EmojiId | null>(statusOf(myId.value)?.emoji ?? null);
  const [picker, setPicker] = useState<Element | null>(null);
  const task = useTask();
  const set = async (status_text: string, chosen: EmojiId | null) => {
    const isDone = await task.run(() =>
      call('POST', 'users/me/status', { status_text, ...(chosen ?? { emoji_name: '' }) }),
    );
    if (isDone) onClose();
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form onSubmit={() => void set(text, emoji)}>
        <div class="inline">
          <Button
            label={words.emoji}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => setPicker(currentTarget)}
          >
            {emoji ? <Emoji id={emoji} /> : <Icon name="smile" />}
          </Button>
          <TextField
            label={words.text}
            maxLength={LONGEST}
            autocomplete="off"
            value={text}
            onValue={setText}
            error={task.error || undefined}
          />
        </div>
        <ul class="chips" aria-label={words.suggestions}>
          {PRESETS.map((each) => (
            <li key={each.text}>
              <Button
                onClick={() => {
                  setText(each.text);
                  setEmoji(each.emoji);
                }}
              >
                <Emoji id={each.emoji} /> {each.text}
              </Button>
            </li>
          ))}
        </ul>
        <div class="actions">
          {now ? (
            <Button disabled={task.isBusy} onClick={() => void set('', null)}>
              {words.clear}
            </Button>
          ) : (
            <Button onClick={onClose}>{cancel}</Button>
          )}
          <Button kind="main" type="submit" disabled={task.isBusy}>
            {save}
          </Button>
        </div>
      </form>
      {picker && (
        <EmojiPicker
          anchor={picker}
          onClose={() => setPicker(null)}
          onChoose={(id) => {
            setPicker(null);
            setEmoji(id);
          }}
        />
      )}
    </Dialog>
  );
}
