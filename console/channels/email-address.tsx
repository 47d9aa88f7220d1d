import { useState } from 'preact/hooks';
import { call } from '../connection/call';
import type { KnownChannel } from '../connection/records';
import { myId, people } from '../connection/state';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Check, SelectField } from '../parts/field';
import { Problem } from '../parts/problem';
import { useFetched } from '../parts/task';
import { Section } from '../settings/controls';
import { emailAddress as words } from './words';

/** Whether the operator has configured incoming mail for channels. */
export const receivesMail = (): boolean => document.querySelector('meta[name="incoming-mail"]') !== null;

/** Options that are part of an address, as the server parses them. */
type Option = keyof typeof words.options;
const OPTIONS = Object.keys(words.options) as Option[];

/** The option that addresses from the server contain; initially selected. */
const GIVEN: Option = 'show-sender';

/** An email address of the channel. The server creates one for each sender on request. */
function Address({
  channelId,
  sender,
  options,
}: {
  readonly channelId: number;
  readonly sender: string;
  readonly options: readonly Option[];
}) {
  const { value, error } = useFetched(
    () =>
      call<{ email: string }>('GET', `streams/${channelId}/email_address`, {
        sender_id: sender === '' ? undefined : Number(sender),
      }),
    [channelId, sender],
  );
  if (!value) return <Problem text={error} />;
  const address = value.email.replace(`.${GIVEN}`, options.map((each) => `.${each}`).join(''));
  return (
    <>
      <Problem text={error} />
      <pre class="code" tabIndex={0} role="region" aria-label={words.title}>
        {address}
      </pre>
      <div class="actions">
        <CopyButton text={address} />
      </div>
    </>
  );
}

/** Shows an email address of the channel, for a chosen sender and options of posting. */
export function EmailAddress({ channel }: { readonly channel: KnownChannel }) {
  const [isShown, setShown] = useState(false);
  const [sender, setSender] = useState('');
  const [options, setOptions] = useState<readonly Option[]>([GIVEN]);
  const bots = [...people.value.values()].filter(
    (each) => each.is_bot && each.is_active && each.bot_owner_id === myId.value,
  );
  return (
    <Section title={words.title} about={words.about}>
      {isShown ? (
        <>
          <SelectField
            label={words.sender}
            value={sender}
            choices={[
              { value: '', label: words.gateway },
              { value: String(myId.value), label: words.you },
              ...bots.map((bot) => ({ value: String(bot.user_id), label: bot.full_name })),
            ]}
            onValue={setSender}
          />
          {OPTIONS.map((option) => (
            <Check
              key={option}
              label={words.options[option]}
              checked={options.includes(option)}
              onChecked={(isChosen) =>
                setOptions(OPTIONS.filter((each) => (each === option ? isChosen : options.includes(each))))
              }
            />
          ))}
          <Address channelId={channel.stream_id} {...{ sender, options }} />
        </>
      ) : (
        <Button onClick={() => setShown(true)}>{words.show}</Button>
      )}
    </Section>
  );
}
