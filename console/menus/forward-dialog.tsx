import { useState } from 'preact/hooks';
import { call, Refusal } from '../connection/call';
import { recipientOf, type Place } from '../connection/place';
import { channels, myId, organization, people } from '../connection/state';
import { read } from '../conversations/asking';
import { checkLength } from '../conversations/draft';
import { hrefOf, placeName } from '../conversations/places';
import { quotationOf } from '../conversations/quoting';
import { Button } from '../parts/button';
import { TextArea, TextField } from '../parts/field';
import { FormDialog } from '../parts/form-dialog';
import { Rendered } from '../parts/rendered';
import { announce } from '../parts/status';
import { SuggestedField, type Offer } from '../parts/suggested-field';
import { useFetched } from '../parts/task';
import { navigate } from '../router';
import { fitting } from '../search/fitting';
import { conversations, remove } from '../words';
import * as words from './words';

interface Goal extends Offer {
  readonly to: { readonly channelId: number } | { readonly userIds: readonly number[] };
}

const SHOWN = 8;

/** Channels and people whose names match a text. */
function goalsFor(text: string): Goal[] {
  const own = [...channels.value.values()].filter((each) => each.isSubscribed && !each.is_archived);
  const goals: Goal[] = [
    ...own.map(({ name, stream_id: channelId }) => ({
      label: `#${name}`,
      about: words.forwarding.channel,
      to: { channelId },
    })),
    ...[...people.value.values()]
      .filter((person) => person.is_active)
      .map(({ full_name: label, user_id: id, delivery_email: email }) => ({
        label,
        about: email ?? words.forwarding.person,
        to: { userIds: id === myId.value ? [] : [id] },
      })),
  ];
  return fitting(goals, text, SHOWN, { nameOf: ({ label }) => label });
}

interface ForwardDialogProperties {
  readonly messageId: number;
  readonly onClose: () => void;
}

/** Forwards a message to another conversation, as a quotation with a link. */
export function ForwardDialog({ messageId, onClose }: ForwardDialogProperties) {
  const { value: message } = useFetched(() => read(messageId, true), [messageId]);
  const [text, setText] = useState('');
  const [goal, setGoal] = useState<Goal | null>(null);
  const [written, setTopic] = useState<string | null>(null);
  const [comment, setComment] = useState('');
  const topic = written ?? message?.subject ?? '';
  const isChannel = goal !== null && 'channelId' in goal.to;
  const forward = async () => {
    if (!goal) throw new Refusal(words.forwarding.chooseFirst);
    const quotation = await quotationOf({ id: messageId });
    const content = comment.trim() === '' ? quotation : `${comment.trim()}\n\n${quotation}`;
    checkLength(content);
    const place: Place = 'channelId' in goal.to ? { ...goal.to, topic } : goal.to;
    await call('POST', 'messages', {
      ...recipientOf(place, myId.value),
      content,
      read_by_sender: true,
    });
    announce(words.forwarding.sent(placeName(place)), {
      label: words.forwarding.view,
      run: () => navigate(hrefOf(place)),
    });
  };
  return (
    <FormDialog
      title={words.forwarding.title}
      action={words.forwarding.send}
      onSubmit={forward}
      onClose={onClose}
    >
      <div class="field">
        {goal ? (
          <p class="chips">
            <span class="chip">
              {goal.label}
              <Button kind="quiet" icon="close" label={remove(goal.label)} onClick={() => setGoal(null)} />
            </span>
          </p>
        ) : (
          <SuggestedField
            label={words.forwarding.to}
            listLabel={conversations.suggestions}
            value={text}
            onValue={setText}
            offers={goalsFor(text)}
            onTake={(taken) => {
              setGoal(taken);
              setText('');
            }}
            takesFirst
            autofocus
          />
        )}
      </div>
      {isChannel && (
        <TextField
          label={words.forwarding.topic}
          value={topic}
          maxLength={Number(organization.value['max_topic_length'] ?? 60)}
          onValue={setTopic}
        />
      )}
      <TextArea label={words.forwarding.comment} value={comment} onValue={setComment} rows={2} />
      <blockquote class="preview">{message && <Rendered html={message.content} />}</blockquote>
    </FormDialog>
  );
}
