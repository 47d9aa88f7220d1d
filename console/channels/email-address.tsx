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

/** Whether mail to the addresses of channels arrives at the server, as far as its operator has said where. */
export const receivesMail = (): boolean => document.querySelector('meta[name="incoming-mail"]') !== null;

/** What an address can ask for, as the server reads it. */
type Option = keyof typeof words.options;
const OPTIONS = Object.keys(words.options) as Option[];

/** The server gives the address with this one, which is also what one starts with. */
const GIVEN: Option = 'show-sender';

/** An address at which mail for the channel arrives. The server makes one for each sender when it is asked for. */
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

/** Has the server show at which address the channel takes mail, and in whose name and how that is posted. */
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
