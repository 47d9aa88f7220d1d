import { useRef, useState } from 'preact/hooks';
import { call, upload } from '../connection/call';
import { emoji, isAdministrator, myId } from '../connection/state';
import { Action } from '../parts/action';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { Page } from '../parts/page';
import { NotAllowed, useRights } from '../parts/rights';
import { announce } from '../parts/status';
import { Table } from '../parts/table';
import { useTask } from '../parts/task';
import * as words from '../words';

function Form() {
  const [name, setName] = useState('');
  const file = useRef<HTMLInputElement>(null);
  const task = useTask();
  const add = async () => {
    const picture = file.current?.files?.[0];
    if (!picture) return;
    await upload(`realm/emoji/${encodeURIComponent(name)}`, picture);
    announce(words.saved);
    setName('');
  };
  return (
    <form onSubmit={() => void task.run(add)}>
      <h2>{words.emoji.add}</h2>
      <TextField
        label={words.name}
        hint={words.emoji.nameAbout}
        error={task.error || undefined}
        value={name}
        onValue={setName}
        required
      />
      <div class="field">
        <label for="picture">{words.emoji.picture}</label>
        <input id="picture" type="file" accept="image/*" ref={file} required />
      </div>
      <Button kind="main" type="submit" disabled={task.isBusy}>
        {words.add}
      </Button>
    </form>
  );
}

/** The organization's custom emoji. */
export function EmojiPage() {
  const may = useRights('');
  const own = Object.values(emoji.value).filter(({ deactivated }) => !deactivated);
  return (
    <Page title={words.emoji.title} about={words.emoji.about}>
      <Table
        label={words.emoji.title}
        rows={own}
        keyOf={({ id }) => id}
        empty={words.noneYet.emoji}
        columns={[
          {
            heading: words.name,
            cell: (each) => (
              <span class="person">
                <img class="avatar" src={each.source_url} alt="" /> :{each.name}:
              </span>
            ),
          },
          {
            heading: words.action,
            cell: (each) =>
              (isAdministrator.value || each.author_id === myId.value) && (
                <Action
                  label={words.erase}
                  isDangerous
                  question={words.emoji.deleteAbout(each.name)}
                  run={() => call('DELETE', `realm/emoji/${encodeURIComponent(each.name)}`)}
                />
              ),
          },
        ]}
      />
      {may('can_add_custom_emoji_group') && <Form />}
      {may('can_add_custom_emoji_group') === false && (
        <NotAllowed about="" action="can_add_custom_emoji_group" />
      )}
    </Page>
  );
}
